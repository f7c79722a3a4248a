"""Processes: workers that run tasks apart from us, and die without taking us along."""

from harness.processes.limits import Limits
from harness.processes.nursery import Nursery
from harness.processes.task import Task
from harness.processes.worker import Worker

__all__ = ["Limits", "Nursery", "Task", "Worker"]
