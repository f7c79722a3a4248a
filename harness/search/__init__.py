"""Search: drawing workloads, one seeded batch at a time, and shrinking what fails."""

from eagerdiff.harness.search.batch import Batch, Report
from eagerdiff.harness.search.drawing import Draw, draws, workloads

__all__ = ["Batch", "Draw", "Report", "draws", "workloads"]
