"""Search: drawing workloads, one seeded chunk at a time, and shrinking what fails."""

from harness.search.chunk import Chunk, Report
from harness.search.drawing import Draw, draws, workloads

__all__ = ["Chunk", "Draw", "Report", "draws", "workloads"]
