"""Fixed workloads: what is timed, and shown as an example."""

from collections.abc import Callable, Mapping
from typing import Any

from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.search.batch import Batch


def fixed_workloads(operator: Operator) -> Mapping[str, Workload]:
    """Return an operator's own fixed workloads; where it has none, the longest of the first that are drawn."""
    return operator.workloads or {"drawn": max(_drawn(operator), key=lambda workload: len(workload.cases))}


def example_case(operator: Operator) -> Case:
    """Return the first case of the first fixed workload."""
    return next(iter(fixed_workloads(operator).values())).cases[0]


def _drawn(operator: Operator) -> list[Workload]:
    """Draw as a search does, with a seed of its own, for an implementation that supports everything."""
    workloads: list[Workload] = []

    def collect(workload: Workload) -> Outcome:
        workloads.append(workload)
        return Outcome(verdicts=[])

    Batch(operator, Implementation(operator=operator.name, name="drawn", build=_nothing), "cpu").explore(collect)
    return workloads


def _nothing(case: Any) -> Callable[..., Any]:
    raise NotImplementedError("drawn, not run")
