"""Kernels that fall from parallel to serial, or from vectors to scalars, where sizes are dynamic.

`python -m eagerdiff.suites.benchmarks.falling` compiles programs with Inductor under each way of taking sizes, for a
large tensor at once and for a small one first, and reads the C++ that computes the large one; it ends with 1 where none
of a way's kernels is parallel, or vectorised, and one of the static way's is. Nothing is timed: a slower machine, or a
busy one, says the same.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Loops, Mode
from eagerdiff.compiled.marking import mark

Function = Callable[..., Any]
LARGE, SMALL, COLUMNS = 40_000, 4, 64
"""Rows; threads get at least 4,096 elements each (`cpp.min_chunk_size`)."""


def elementwise(x: Tensor) -> Tensor:
    """Compute on each element."""
    return x.sin() * 2 + x.cos()


def softmax(x: Tensor) -> Tensor:
    """Reduce rows, of which there are many."""
    return torch.softmax(x, -1)


def of_columns(x: Tensor) -> Tensor:
    """Reduce columns, of which there are few."""
    return x.sum(0)


def of_all(x: Tensor) -> Tensor:
    """Reduce everything to one number."""
    return x.sum()


def joined(x: Tensor) -> Tensor:
    """Join pieces, each computed on its way."""
    return torch.cat([x.sin(), x * 2])


PROGRAMS: Mapping[str, Function] = {one.__name__: one for one in (elementwise, softmax, of_columns, of_all, joined)}


WAYS: Mapping[Mode, Mapping[str, Any]] = {
    Mode.STATIC: {"dynamic": False},
    Mode.AUTOMATIC: {},
    Mode.DYNAMIC: {"dynamic": True},
    Mode.MARK_DYNAMIC: {},
    Mode.UNBACKED: {},
}
"""Options of `torch.compile`; the rows are marked as the way asks."""


def loops(program: Function, way: Mode, rows: Sequence[int], compiler: Function = torch.compile) -> Loops:
    """Return what runs the last of some calls, each with a float32 tensor [rows, 64].

    `compiler` stands for `torch.compile`. Code of calls before the last counts where the last needs no other. The
    process has two threads at least from then on: with one, nothing is parallel.
    """
    torch.set_num_threads(max(2, torch.get_num_threads()))
    torch.compiler.reset()
    compiled = compiler(program, **WAYS[way])
    used = Loops.of(())
    for size in rows:
        given = torch.ones(size, COLUMNS)
        mark(given, [0], way)
        new = Loops.generated_by(lambda given=given: compiled(given))
        used = new if new.kernels else used
    return used


def lines(programs: Mapping[str, Function] = PROGRAMS, compiler: Function = torch.compile) -> Iterator[str]:
    """Say which ways lose what the static one has for the large tensor."""
    for name, program in programs.items():
        base = loops(program, Mode.STATIC, [LARGE])
        for way in list(WAYS)[1:]:
            for rows in ([LARGE], [SMALL, LARGE], [SMALL, SMALL + 1, LARGE]):
                lost = loops(program, way, rows, compiler).fallen(base)
                if lost:
                    yield f"FALLEN {name} {way}: compiled for {rows[:-1] or rows} rows, {rows[-1]} are not {lost}"


def main() -> int:
    """Print what falls; return the exit code."""
    fallen = False
    for line in lines():
        fallen = True
        print(line, flush=True)
    return int(fallen)


if __name__ == "__main__":
    sys.exit(main())
