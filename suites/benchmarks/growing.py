"""How compile time grows with the number of dynamic sizes: the exponent is the finding.

`python -m eagerdiff.suites.benchmarks.growing aot_eager inductor` compiles programs of 1 to 64 tensors, each of a size
of its own, twice in turn, and prints the exponent of the CPU seconds for each; it ends with 1 where one is above 1 by
more than its noise: a graph grows with the tensors, and what compiles it should grow no faster.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Growth, cpu_seconds, growth_of

Clock = Callable[[], float]
Function = Callable[..., Any]
COUNTS = (1, 2, 4, 8, 16, 32, 64)
START = 8
"""Tensors from which on what each costs is most of it."""
SWEEPS = 2


def apart(*tensors: Tensor) -> list[Tensor]:
    """Compute on each tensor by itself."""
    return [tensor.sin() + tensor.shape[0] for tensor in tensors]


def concatenated(*tensors: Tensor) -> Tensor:
    """Join all tensors: the size of the result is a sum of all sizes."""
    return torch.cat(tensors) * 2


def added(*tensors: Tensor) -> Tensor:
    """Add the sizes up, tensor after tensor."""
    total, size = tensors[0].sum(), 0
    for tensor in tensors:
        size = size + tensor.shape[0]
        total = total + tensor.sum() * size
    return total


def guarded(*tensors: Tensor) -> list[Tensor]:
    """Branch on each size: a guard for each."""
    return [tensor.sin() if tensor.shape[0] > 2 else tensor.cos() for tensor in tensors]


PROGRAMS: Mapping[str, Function] = {one.__name__: one for one in (apart, concatenated, added, guarded)}


def tensors(count: int) -> list[Tensor]:
    """Return float32 tensors of one dim and different sizes, none below 3."""
    return [torch.arange(3.0 + 2 * at) for at in range(count)]


def compile_seconds(program: Function, backend: Any, count: int, clock: Clock = cpu_seconds) -> float:
    """Return the CPU seconds of the first call of a program of some tensors, less those of a second one."""
    torch.compiler.reset()
    given = tensors(count)
    compiled = torch.compile(program, backend=backend, dynamic=True, fullgraph=True)
    start = clock()
    compiled(*given)
    middle = clock()
    compiled(*given)
    return (middle - start) - (clock() - middle)


def growth(program: Function, backend: Any, counts: Sequence[int] = COUNTS, clock: Clock = cpu_seconds) -> Growth:
    """Return how compile time grows with the number of tensors; the first compile of all is not counted."""
    compile_seconds(program, backend, counts[0], clock)
    sweeps = [{count: compile_seconds(program, backend, count, clock) for count in counts} for _ in range(SWEEPS)]
    return growth_of(sweeps, start=min(START, counts[-2]))


def main(backends: list[str]) -> int:
    """Print the exponent of each program under each back end of `torch.compile`; return the exit code."""
    above = False
    for backend in backends or ["aot_eager"]:
        for name, program in PROGRAMS.items():
            found = growth(program, backend)
            above = above or found.exceeds(1)
            told = "  above 1 by more than its noise" if found.exceeds(1) else ""
            print(f"{backend:10} {name:14} exponent {found.exponent:.2f}, noise {found.noise:.2f}{told}", flush=True)
    return int(above)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
