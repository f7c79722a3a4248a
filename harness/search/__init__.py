"""Search: drawing workloads, one seeded chunk at a time, and shrinking what fails."""

from eagerdiff.harness.search.batch import Chunk, Report
from eagerdiff.harness.search.drawing import Draw, draws, workloads

__all__ = ["Chunk", "Draw", "Report", "draws", "workloads"]
