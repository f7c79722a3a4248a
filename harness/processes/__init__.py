"""Processes: workers that run tasks apart from us, and die without taking us along."""

from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.pool import WorkerPool
from eagerdiff.harness.processes.task import Task
from eagerdiff.harness.processes.worker import Worker

__all__ = ["Limits", "Task", "Worker", "WorkerPool"]
