"""What the tests of every operator do with generated cases."""

from collections.abc import Callable
from typing import Any

from hypothesis import assume, find, given, settings
from hypothesis import strategies as st

from eagerdiff import Case, Operator, Status, Workload
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.suites.tests.examples import CHOOSY, FEW


def judge_generated(worker: Worker, operator: Operator, implementation: str, examples: int) -> list[Status]:
    """Run drawn workloads of two calls on a worker, none of which may fail, and return the calls' statuses.

    The first call of each is one that the implementation takes.
    """
    judged: list[Status] = []
    supports = next(one.supports for one in operator.implementations if one.name == implementation)

    @given(st.data())
    @settings(CHOOSY, max_examples=examples)
    def passes(data: st.DataObject) -> None:
        workload = Workload.of(*two_calls(operator, data))
        assume(supports(workload.cases[0]) is None)
        outcome = worker.run(Task(operator=operator.name, implementation=implementation, workload=workload.to_data()))
        assert outcome.first_failure is None
        judged.extend(verdict.status for verdict in outcome.verdicts)

    passes()
    return judged


def two_calls(operator: Operator, data: st.DataObject) -> tuple[Any, Any]:
    """Draw a case and a further one of the same workload: one static key, and each the same once read back."""
    assert operator.drawing.workload_cases is not None
    first: Case = data.draw(operator.cases())
    further: Case = data.draw(operator.drawing.workload_cases(first))
    assert further.static_key == first.static_key
    assert type(first).from_yaml(first.to_yaml()) == first
    return first, further


def draw_edge(operator: Operator, edge: Callable[[Any], bool]) -> None:
    """Draw up to 2,000 cases until one is at the edge; raise hypothesis' NoSuchExample if none is."""
    find(operator.cases(), edge, settings=settings(FEW, max_examples=2000))
