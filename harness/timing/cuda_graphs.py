"""CUDA graphs: how many are in use, and how often they are replayed."""

from typing import Any, Self

import torch

_SEEN = "_eagerdiff_seen"


class CudaGraphs:
    """Count the CUDA graphs that this process replays while the context lasts, whoever recorded them.

    A graph that is recorded and never replayed, as the one that holds Inductor's pool of memory, is not counted.
    """

    def __init__(self) -> None:
        self.recorded = 0
        """Graphs of which one was replayed at least."""
        self.replayed = 0
        self._replay: Any = None

    def __enter__(self) -> Self:
        kind: Any = torch.cuda.CUDAGraph
        self._replay = replay = kind.replay

        def counted(graph: Any) -> Any:
            self.replayed += 1
            if getattr(graph, _SEEN, None) is not self:
                self.recorded += 1
                setattr(graph, _SEEN, self)
            return replay(graph)

        kind.replay = counted
        return self

    def __exit__(self, *_: object) -> None:
        kind: Any = torch.cuda.CUDAGraph
        kind.replay = self._replay
