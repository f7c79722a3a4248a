"""A third party's file: an operator with implementations that torch.compile makes, for the tests of the scripts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import torch

from eagerdiff import Case, Implementation, Inputs, Operator, dynamic, static

FACTOR = 2


class Scaled(Case):
    mode: str = static("default")
    rows: int = dynamic(3, ge=0)


def inputs(case: Scaled, device: str) -> Inputs:
    return Inputs((torch.ones(case.rows, device=device),))


def cases() -> st.SearchStrategy[Scaled]:
    return st.builds(Scaled, rows=st.integers(0, 9))


def scaled(x: torch.Tensor) -> torch.Tensor:
    return by_factor(x)


def by_factor(x: torch.Tensor) -> torch.Tensor:
    return x * FACTOR


def nothing_right(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Callable[..., Any]:
    """Be a back end that is off by one."""
    return lambda *args: tuple(output + 1 for output in graph(*args))


class Scaling(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return scaled(x)


def compiled(case: Scaled, dynamic: bool) -> Any:
    return torch.compile(scaled, backend=nothing_right, dynamic=dynamic)


def module(case: Scaled) -> Any:
    assert case.mode == "default"
    return torch.compile(Scaling(), backend=nothing_right)


def refused(case: Scaled) -> Any:
    raise ValueError("planted")


def closure(dynamic: bool) -> Callable[[Scaled], Any]:
    def build(case: Scaled) -> Any:
        return compiled(case, dynamic)

    return build


BUILDS: dict[str, Callable[[Scaled], Any]] = {
    "lambda": lambda case: torch.compile(scaled, backend=nothing_right, dynamic=True),
    **{
        f"lambda with {backend.__name__}": lambda case, backend=backend: torch.compile(scaled, backend=backend)
        for backend in (nothing_right,)
    },
    "partial": functools.partial(compiled, dynamic=True),
    "module": module,
    "closure": closure(dynamic=False),
}
OPERATOR = Operator(
    name="scaled",
    case=Scaled,
    inputs=inputs,
    reference=scaled,
    cases=cases,
    implementations=[
        Implementation(operator="scaled", name=name.replace(" ", "_"), devices=("cpu",), build=build)
        for name, build in BUILDS.items()
    ],
)

if __name__ == "__main__":
    raise SystemExit("a script of a finding runs none of this")
