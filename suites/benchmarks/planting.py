"""What `eagerdiff compare` finds of slowdowns that were planted, and what it tells where nothing was: real processes.

`python -m eagerdiff.suites.benchmarks.planting` compares a program of products with itself, and with one that makes 5 %
more of them, workload after workload; then a compiled chain of operations with one of 3 % more. It prints what share
was told slower, and the rounds that it took. It ends with 1 where less than 95 % of what was planted is found, or more
than 1 % of what was not. Run nothing beside it, or something that is as busy all the time.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Case, Implementation, Inputs, Operator, Workload

COUNT = int(os.environ.get("EAGERDIFF_WORKLOADS", "40"))
"""Workloads, each compared by itself."""
PRODUCTS, STEPS, WIDTH = 100, 100, 48


class Rows(Case):
    """A square matrix, multiplied time after time."""

    number: int


def inputs(case: Rows, device: str) -> Inputs:
    """Return float32 (WIDTH, WIDTH), orthogonal: no number of products makes it large or small."""
    generator = torch.Generator().manual_seed(case.number)
    return Inputs((torch.linalg.qr(torch.randn(WIDTH, WIDTH, generator=generator))[0].to(device),))


def products(count: int) -> Callable[[Tensor], Tensor]:
    """Return a program that makes so many products, and one result whatever their number."""

    def run(x: Tensor) -> Tensor:
        y = x
        for _ in range(count):
            y = y @ x
        return torch.zeros_like(x) * y

    return run


def chain(count: int) -> Callable[[Tensor], Tensor]:
    """Return a compiled chain of so many operations, whose result does not depend on their number."""

    def run(x: Tensor) -> Tensor:
        y = x
        for _ in range(count):
            y = y.sin()
        return torch.zeros_like(x) * y

    return torch.compile(run, backend="aot_eager", fullgraph=True)


WAYS: dict[str, Callable[[], Callable[[Tensor], Tensor]]] = {
    "plain": lambda: products(PRODUCTS),
    "five_more": lambda: products(PRODUCTS + PRODUCTS // 20),
    "compiled": lambda: chain(STEPS),
    "three_more": lambda: chain(STEPS + 3),
}
OPERATOR = Operator(
    name="planted",
    case=Rows,
    inputs=inputs,
    reference=products(1),
    cases=lambda: st.builds(Rows, number=st.integers(0, 9)),
    workloads={str(number): Workload.of(Rows(number=number)) for number in range(COUNT)},
    implementations=[
        Implementation(operator="planted", name=name, build=lambda case, way=way: way(), devices=("cpu",))
        for name, way in WAYS.items()
    ],
)


def compared(after: str, *options: str, before: str = "plain", count: int = COUNT) -> list[dict[str, Any]]:
    """Return what `eagerdiff compare` tells of two implementations; raise RuntimeError where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "figures.json"
        subjects = [word for number in range(count) for word in ("--subject", f"planted/{before}:{number}")]
        sides = [f"planted/{before}", f"planted/{after}"]
        command = [sys.executable, "-m", "eagerdiff.harness.cli", "compare", *sides, *subjects, *options]
        spec = f"{__spec__.name if __spec__ else __name__}:OPERATOR"
        done = subprocess.run([*command, "--operator", spec, "--json", str(out)], capture_output=True, text=True)
        if not out.exists():
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        return json.loads(out.read_text(encoding="utf-8"))["differences"]


def main() -> int:
    """Print what was told; return the exit code."""
    wrong = False
    for name, after, wanted in (("nothing", "plain", 0.0), ("5 % of time", "five_more", 0.95)):
        told = Counter(one["change"] for one in compared(after) if one["figure"] == "microseconds")
        share = told["slower"] / max(1, told.total())
        alarms = told["slower"] + told["faster"]
        wrong |= share < wanted if wanted else alarms > 0.01 * told.total()
        print(
            f"planted {name}: {told.total()} comparisons, {dict(told)}, 40 rounds each, twice where it changed",
            flush=True,
        )
    for name, after in (("nothing", "compiled"), ("3 % of counted work", "three_more")):
        found = compared(after, "--counts", before="compiled", count=4)
        told = Counter(one["figure"] for one in found if one["change"] == "slower")
        wrong |= bool(told) != (after == "three_more") or (after == "three_more" and told["compile_calls"] < 4)
        print(f"planted {name}: 4 comparisons, more of {dict(told)}", flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
