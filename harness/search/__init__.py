"""Search: drawing workloads, one seeded batch at a time, and shrinking what fails."""

from eagerdiff.harness.search.batch import Batch
from eagerdiff.harness.search.drawing import Draw, draws, workloads
from eagerdiff.harness.search.hunt import Report

__all__ = ["Batch", "Draw", "Report", "draws", "workloads"]
