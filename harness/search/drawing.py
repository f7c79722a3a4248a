"""Drawing: from an operator's cases to workloads that shrink to the fewest calls."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis import strategies as st

from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.workload import Workload

ATTEMPTS = 16
"""Draws of a first case before an implementation that supports few is given up for this once."""
MOST_CALLS = 24
"""Calls of the longest workloads: compiling is dear, further calls of what is compiled are cheap."""
FEW_CALLS = 4
"""The same, where other static fields teach more than other sizes."""
SOME_CALLS = 12
"""The same, where a compilation costs as much as a few calls."""
FIRST_CALLS = 3
"""Calls of the first workloads of an implementation."""
FIRST_EXAMPLES = 4
"""How many are first ones: what is drawn first may not be supported."""
SEEDS = st.integers(0, 7)
"""Seeds of tensors, for cases whose strategy leaves the seed alone."""
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Draw:
    """Hold what was drawn: a workload, or None, and why cases were turned down on the way."""

    workload: Workload | None
    unsupported: tuple[str, ...] = ()
    """One reason for each case that the implementation does not support."""


@dataclass(frozen=True)
class _Repeat:
    """Stand for an earlier call."""

    of: int


def workloads(
    operator: Operator, implementation: Implementation, *, max_cases: int = MOST_CALLS
) -> st.SearchStrategy[Workload]:
    """Draw workloads of 1 to `max_cases` calls that an implementation supports."""
    drawn = draws(operator, implementation, max_cases=max_cases)
    return drawn.map(lambda draw: draw.workload).filter(lambda workload: workload is not None).map(_certain)


def draws(
    operator: Operator, implementation: Implementation, *, min_cases: int = 1, max_cases: int = MOST_CALLS
) -> st.SearchStrategy[Draw]:
    """Draw workloads of so many calls, with the cases that an implementation does not support reported.

    Earlier calls are repeated on purpose, and the first call is made again at the end (A, B, A): what a compiler
    remembers shows there. Raises ValueError for `max_cases` below 1.
    """
    if max_cases < 1:
        raise ValueError(f"max_cases must be at least 1, not {max_cases}")
    return _draws(operator, implementation, min_cases, max_cases)


@st.composite
def _draws(draw: st.DrawFn, operator: Operator, implementation: Implementation, min_cases: int, max_cases: int) -> Draw:
    unsupported: list[str] = []
    first = _first(draw, operator, implementation, unsupported)
    if first is None or max_cases == 1:
        return Draw(Workload.of(first) if first else None, tuple(unsupported))
    further = _strategy(operator, first)
    repeat = st.integers(0, max_cases - 1).map(_Repeat)
    calls: list[Case] = [first]
    for _ in range(draw(st.integers(min_cases - 1, max_cases - 1))):
        item: Case | _Repeat = _drawn(draw, lambda: st.one_of(further, further, further, repeat))
        if isinstance(item, _Repeat):
            calls.append(calls[item.of % len(calls)])
        elif case := _nearest(_seeded(draw, _under(item, first)), operator, implementation, unsupported):
            calls.append(case)
    if 2 <= len(calls) < max_cases and draw(st.booleans()):
        calls.append(first)
    while len(calls) < min_cases:  # others were turned down
        calls.append(calls[-2 % len(calls)])
    return Draw(Workload(tuple(calls)), tuple(unsupported))


def _first(draw: st.DrawFn, operator: Operator, implementation: Implementation, unsupported: list[str]) -> Case | None:
    for _ in range(ATTEMPTS):
        case = _seeded(draw, _drawn(draw, operator.cases))
        if case := _nearest(case, operator, implementation, unsupported):
            return case
    return None


def _nearest(
    case: Case | None, operator: Operator, implementation: Implementation, unsupported: list[str]
) -> Case | None:
    """Return what an implementation takes that is nearest to a case; None, where that is not for it."""
    if case is None:
        return None
    found = _ask(implementation.nearest, case, "nearest")
    return found if fits(found, operator, implementation.unsupported, unsupported) else None


class BrokenPredicate(BaseException):
    """Say in one line what of an author's glue raised; leaves Hypothesis at once, which would look for more."""


def fits(case: Case, operator: Operator, supports: Callable[[Any], str | None], unsupported: list[str]) -> bool:
    """Return whether a case is in an operator's domain and supported; why it is not supported joins `unsupported`.

    Raises BrokenPredicate.
    """
    check = operator.drawing.check_inputs
    if check is not None and _ask(check, case, "check_inputs") is not None:
        return False  # outside the operator's domain: no one's case
    if (reason := _ask(supports, case, "supports")) is not None:
        unsupported.append(reason)
        return False
    return True


def _ask(predicate: Callable[[Any], _Answer], case: Case, name: str) -> _Answer:
    try:
        return predicate(case)
    except BaseException as error:  # a predicate that exits is as broken as one that raises
        raise BrokenPredicate(f"{name} raised {in_one_line(error)}") from error


def _strategy(operator: Operator, first: Case) -> st.SearchStrategy[Any]:
    return operator.drawing.workload_cases(first) if operator.drawing.workload_cases else operator.cases()


def _drawn(draw: st.DrawFn, strategy: Callable[[], st.SearchStrategy[Any]]) -> Any:
    """Draw from an author's strategy; what it raises leaves Hypothesis at once, but for what is Hypothesis' own."""
    try:
        return draw(strategy())
    except BaseException as error:
        if type(error).__module__.startswith("hypothesis."):
            raise
        raise BrokenPredicate(f"drawing raised {in_one_line(error)}") from error


def _under(case: Case, first: Case) -> Case | None:
    """Return a case with the static fields of another; None where the two do not go together."""
    if case.static_key == first.static_key:
        return case
    try:
        return type(first).model_validate(_fields(case) | dict(first.static_key))
    except ValueError:
        return None


def _seeded(draw: st.DrawFn, case: Case | None) -> Case | None:
    if case is None or "seed" in case.model_fields_set:
        return case
    return case.model_copy(update={"seed": draw(SEEDS)})


def _fields(case: Case) -> dict[str, Any]:
    return {name: getattr(case, name) for name in case.model_fields_set}


def _certain(workload: Workload | None) -> Workload:
    assert workload is not None
    return workload
