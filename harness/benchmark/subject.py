"""Subjects: an implementation on a fixed workload of its operator, on a device."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.catalog.requirements import unmet
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.search.fixed import fixed_workloads

SERVING = "serving_"
"""Prefix of workloads as large as in serving: gigabytes, for GPUs alone."""
OFFLINE = "offline"
"""Stands for a GPU that is not there: kernels are compiled for one, and counted."""


class SubjectError(ValueError):
    """Say in one line why there is nothing to measure."""


@dataclass(frozen=True)
class Subject:
    """Pair an implementation with a fixed workload."""

    operator: Operator
    implementation: Implementation
    title: str
    """Of the workload."""
    workload: Workload
    on: str
    """`cpu`, `cuda` or `offline`."""

    @property
    def name(self) -> str:
        """`operator/implementation:workload`."""
        return f"{self.operator.name}/{self.implementation.name}:{self.title}"

    @property
    def device(self) -> Device:
        """The device of its tensors."""
        return parse("cpu" if self.on == OFFLINE else self.on)


def subjects(catalog: Catalog, on: str) -> Iterator[Subject]:
    """Return every pair that a device can run, and what only compiles for a GPU that is not there, as `offline`.

    Operators that are drawn without end have no fixed workloads of their own, and are left out.
    """
    for operator in catalog.operators.values():
        yield from _of(operator, catalog.implementations[operator.name].values(), on)


def _of(operator: Operator, implementations: Iterable[Implementation], on: str) -> Iterator[Subject]:
    if operator.drawing.exploratory:
        return
    workloads = fixed_workloads(operator)
    for implementation in implementations:
        where = next((one for one in (on, OFFLINE) if runs(implementation, one)), None)
        for title, workload in workloads.items() if where else ():
            if where == "cuda" or not title.startswith(SERVING):
                subject = Subject(operator, implementation, title, workload, where or on)
                if unsupported(subject) is None:
                    yield subject


def subject_named(catalog: Catalog, name: str, on: str) -> Subject:
    """Return the subject of `operator/implementation:workload`, by default of the first workload that it supports.

    Raises SubjectError where there is none, or it does not run on the device.
    """
    way, _, title = name.partition(":")
    of, _, called = way.partition("/")
    implementation = catalog.implementations.get(of, {}).get(called)
    found = list(_of(catalog.operators[of], [implementation], on)) if implementation is not None else []
    if not found:
        raise SubjectError(f"nothing to measure on {on} is called {way}: see `eagerdiff list`")
    chosen = next((one for one in found if title in ("", one.title)), None)
    if chosen is None:
        raise SubjectError(f"{way} has no workload {title}: it has {', '.join(one.title for one in found)}")
    return chosen


def runs(implementation: Implementation, on: str) -> bool:
    """Say whether an implementation runs on a device; hand-written kernels also compile `offline`, with no GPU."""
    if unmet(implementation.requires, parse("cpu" if on == OFFLINE else on)) is not None:
        return False
    return implementation.hand_written if on == OFFLINE else implementation.runs_on(on)


def unsupported(subject: Subject) -> str | None:
    """Return why an implementation does not support a call of the workload."""
    reasons = (subject.implementation.unsupported(case) for case in subject.workload.cases)
    return next((reason for reason in reasons if reason is not None), None)
