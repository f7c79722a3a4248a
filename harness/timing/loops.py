"""Loops of generated C++: how many kernels run in parallel, or in vectors, told from their source."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

from eagerdiff.harness.internals.generated_code import generated_by

_KERNEL = re.compile(r'^.*extern "C".*$', re.MULTILINE)
_PARALLEL = "#pragma omp parallel"
_VECTORS = "at::vec::"


@dataclass(frozen=True)
class Loops:
    """Hold how many of some C++ kernels do what."""

    kernels: int
    parallel: int
    """Kernels that open a region of several threads."""
    vectorised: int
    """Kernels that compute in vectors."""

    @classmethod
    def of(cls, sources: Iterable[str]) -> Self:
        """Count in the source of graphs, as `torch._inductor` writes it for a CPU."""
        kernels = [text for source in sources for text in _KERNEL.split(source)[1:]]
        return cls(len(kernels), sum(_PARALLEL in text for text in kernels), sum(_VECTORS in text for text in kernels))

    @classmethod
    def generated_by(cls, run: Callable[[], object]) -> Self:
        """Count in the code that Inductor generates while something runs: none where it needs no new code."""
        return cls.of(generated_by(run))

    def fallen(self, base: Self) -> str:
        """Say what another way's kernels of the same program do and none of these does; empty where nothing."""
        lost = {"parallel": base.parallel and not self.parallel, "vectorised": base.vectorised and not self.vectorised}
        return " and ".join(name for name, gone in lost.items() if gone) if self.kernels else ""
