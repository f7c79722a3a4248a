"""Faults: every act at every stage of a stranger's code, each a plug-in that is made when it is asked for by name.

`eagerdiff.suites.tests.torture.faults:call_raise_ValueError` is an implementation, `…:strategy_raise_ValueError` an
operator. `OPERATOR` is the right one that the implementations are of.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import torch
from hypothesis import strategies as st

from eagerdiff import Drawing, Implementation, Inputs, Judging, Operator, Relation, Showing
from eagerdiff.suites.tests.misbehaving import Doubling, double, inputs
from eagerdiff.suites.tests.torture.acts import ACTS, BY_NAME, Act

FROM = 3
"""Sizes from which on an act is done: there are right calls before it."""
MODULE = "eagerdiff.suites.tests.torture.faults"


class Stage(StrEnum):
    """Say when an act is done."""

    IMPORT = "import"
    BUILD = "build"
    SUPPORTS = "supports"
    CALL = "call"
    SOURCE = "source"
    STRATEGY = "strategy"
    CHECK = "check"
    ABOUT = "about"
    INPUTS = "inputs"
    REFERENCE = "reference"
    RELATION = "relation"

    @property
    def of_operator(self) -> bool:
        """Whether it is an operator's code rather than an implementation's."""
        return self in (
            Stage.STRATEGY,
            Stage.CHECK,
            Stage.ABOUT,
            Stage.INPUTS,
            Stage.REFERENCE,
            Stage.RELATION,
        )


@dataclass(frozen=True)
class Fault:
    """Do something at a stage."""

    stage: Stage
    act: Act

    @property
    def attribute(self) -> str:
        """The name in this module."""
        return f"{self.stage.value}_{re.sub(r'[^A-Za-z0-9]', '_', self.act.name)}"

    @property
    def name(self) -> str:
        """The name of the implementation, or of the operator."""
        return f"{self.stage.value}.{self.act.name}"

    @property
    def spec(self) -> str:
        """How it is named on a command line."""
        return f"{MODULE}:{self.attribute}"


def faults() -> Iterator[Fault]:
    """Return every fault but those of importing, for which a file is written."""
    for stage in Stage:
        if stage is not Stage.IMPORT:
            yield from (Fault(stage, act) for act in ACTS)


def cases() -> st.SearchStrategy[Doubling]:
    """Draw sizes up to 9."""
    return st.builds(Doubling, size=st.integers(0, 9), seed=st.integers(0, 1))


def _when_large(act: Act, size: int) -> None:
    if size >= FROM:
        act.do()


def _made(fault: Fault) -> "Operator[Doubling] | Implementation[Doubling]":
    return _operator(fault) if fault.stage.of_operator else _implementation(fault)


def _implementation(fault: Fault) -> Implementation[Doubling]:
    act = fault.act

    def build(case: Doubling) -> Callable[..., torch.Tensor]:
        if fault.stage is Stage.BUILD:
            _when_large(act, case.size)

        def compute(x: torch.Tensor) -> torch.Tensor:
            if fault.stage is Stage.CALL:
                _when_large(act, x.shape[0])
            return x * 3 if fault.stage is Stage.SOURCE and x.shape[0] >= FROM else x * 2

        return compute

    def supports(case: Doubling) -> str | None:
        if fault.stage is Stage.SUPPORTS:
            _when_large(act, case.size)
        return None

    def source(case: Doubling) -> str:
        act.do()
        return "def implementation(x):\n    return x * 3"

    return Implementation(
        operator="torture",
        name=fault.name,
        build=build,
        supports=supports,
        source=source if fault.stage is Stage.SOURCE else None,
        devices=("cpu",),
    )


def _operator(fault: Fault) -> Operator[Doubling]:
    act, stage = fault.act, fault.stage

    def drawn(case: Doubling) -> Doubling:
        _when_large(act, case.size)
        return case

    def check(case: Doubling) -> str | None:
        _when_large(act, case.size)
        return None

    def about(workload: Any) -> list[str]:
        _when_large(act, max(case.size for case in workload.cases))
        return ["doubling"]

    def made(case: Doubling, device: str) -> Inputs:
        if stage is Stage.INPUTS:
            _when_large(act, case.size)
        return inputs(case, device)

    def reference(x: torch.Tensor) -> torch.Tensor:
        if stage is Stage.REFERENCE:
            _when_large(act, x.shape[0])
        return x * 2

    def transform(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Callable[[Any], Any]]:
        _when_large(act, given.args[0].shape[0])
        return given, lambda output: output

    return _right_operator(
        fault.name,
        cases=(lambda: cases().map(drawn)) if stage is Stage.STRATEGY else cases,
        inputs=made,
        reference=reference,
        drawing=Drawing(check_inputs=check) if stage is Stage.CHECK else Drawing(),
        showing=Showing(about=about) if stage is Stage.ABOUT else Showing(),
        judging=Judging(relations=[Relation("same", transform)]) if stage is Stage.RELATION else Judging(),
    )


def _right_operator(name: str, **fields: Any) -> Operator[Doubling]:
    given: dict[str, Any] = {"cases": cases, "inputs": inputs, "reference": double} | fields
    return Operator(name=name, case=Doubling, implementations=[_right(name)], **given)


def _right(operator: str) -> Implementation[Doubling]:
    return Implementation(operator=operator, name="right", build=lambda case: double, devices=("cpu",))


OPERATOR = _right_operator("torture")
BY_ATTRIBUTE = {fault.attribute: fault for fault in faults()}


def file_of(act: Act) -> str:
    """Return the source of a plug-in that does something when it is imported."""
    assert act.name in BY_NAME
    return (
        "from eagerdiff.suites.tests.torture.acts import BY_NAME\n"
        "from eagerdiff.suites.tests.torture.faults import right_by_name\n"
        f"BY_NAME[{act.name!r}].do()\n"
        f"IMPLEMENTATION = right_by_name({f'import.{act.name}'!r})\n"
    )


def right_by_name(name: str) -> Implementation[Doubling]:
    """Return a right implementation of `OPERATOR`."""
    return Implementation(operator="torture", name=name, build=lambda case: double, devices=("cpu",))


def __getattr__(name: str) -> "Operator[Doubling] | Implementation[Doubling]":
    if (fault := BY_ATTRIBUTE.get(name)) is None:
        raise AttributeError(name)
    return _made(fault)
