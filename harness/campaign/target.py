"""Targets: one operator, implementation and device each."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from eagerdiff.harness.campaign.events import TargetKey
from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.catalog.requirements import unmet
from eagerdiff.harness.devices import Device
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.shard import WHOLE, Shard
from eagerdiff.harness.processes.catalog_tasks import task_for
from eagerdiff.harness.processes.task import Task
from eagerdiff.harness.results.results import Row

BARREN = 3
"""Batches in a row without a workload not run before, after which a target counts as exhausted."""
BARREN_ENTRIES = 100
"""The same of an operator with a table, where a batch draws of one entry: many may be unsupported in a row."""


@dataclass
class Target:
    """Search one operator × implementation × device, batch by batch."""

    operator: Operator
    implementation: Implementation
    device: str
    task: Task
    """How a worker finds the two."""
    tally: Tally
    ours: bool = False
    """Whether operator and implementation are this distribution's own."""
    shard: Shard = WHOLE
    """Which of its batches are drawn."""
    next_index: int = 0
    paused: list[int] = field(default_factory=list[int])
    """Batches to be taken up again."""
    unsupported: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    """Cases turned down, for each paused batch."""
    done: set[int] = field(default_factory=set[int])
    lost: dict[int, int] = field(default_factory=dict[int, int])
    """How often a machine was lost that was at a batch."""
    running: int = 0
    turns: int = 0
    """Turns that ended."""
    spent: float = 0.0
    """Slot seconds of drawing and judging."""
    barren: int = 0
    closed: bool = False
    """Whether there is nothing left to do."""

    @cached_property
    def shares(self) -> tuple[Hashable, Hashable, Hashable]:
        """What shares the time equally: operators, in each of them families (a kernel, or a back end in all modes)."""
        return self.operator.name, (self.operator.name, *self.implementation.group, self.device), self.key

    @cached_property
    def by_entry(self) -> bool:
        """Whether a batch of it draws of one entry of its operator's table: then entries are counted, not seconds."""
        return self.operator.drawing.table is not None

    @cached_property
    def earns(self) -> Hashable:
        """What has more turns for the causes that it meets: the way, or with a table its family."""
        return self.shares[1] if self.by_entry else self.shares[2]

    def had(self, ahead: float) -> tuple[float, float, float]:
        """Return what each of `shares` is charged for it, with so many seconds for each turn that is under way.

        Slot seconds; but within an operator with a table, entries of it.
        """
        seconds = self.spent + self.running * ahead
        among = float(len(self.done) + self.running) if self.by_entry else seconds
        return seconds, among, among

    def a_turn(self, seconds: float) -> float:
        """Return what a turn of so many seconds adds to what its family and itself are charged: see `had`."""
        return 1.0 if self.by_entry else seconds

    @cached_property
    def key(self) -> TargetKey:
        """The name in the journal."""
        return TargetKey(self.operator.name, self.implementation.name, self.device)

    @property
    def judged(self) -> bool:
        """Whether any of its calls was judged in this campaign."""
        return self.tally.row.cases > 0

    @cached_property
    def begins(self) -> bool:
        """Whether its first batch is of this shard: then it has first turns here."""
        return self.shard.holds(str(self.key), 0)

    @property
    def names(self) -> bool:
        """Whether it is counted what workloads consist of: entries of a table, operations that are specialised."""
        excuses = self.implementation.excuses
        return self.operator.extras.vocabulary is not None or any(one.specialises for one in excuses)

    def take(self) -> int:
        """Return the index of the batch to work on next."""
        if self.paused:
            return self.paused.pop(0)
        while self.next_index in self.done or not self.shard.holds(str(self.key), self.next_index):
            self.next_index += 1
        self.next_index += 1
        return self.next_index - 1

    def give_back(self, index: int, *, finished: bool, fresh: int) -> None:
        """Put a batch away after a turn in which `fresh` workloads ran."""
        if not finished:
            self.paused.append(index)
            return
        self.done.add(index)
        self.barren = 0 if fresh else self.barren + 1
        most = BARREN_ENTRIES if self.by_entry else BARREN
        self.closed = self.closed or self.barren >= most


def obstacle(implementation: Implementation, device: Device) -> str | None:
    """Return why an implementation cannot run on a device here, in one line, or None."""
    return device.unavailable() or unmet(implementation.requires, device)


def survey(
    catalog: Catalog,
    operators: Iterable[str],
    devices: Callable[[Implementation], Iterable[Device]],
    why_not: Callable[[Implementation, Device], str | None],
) -> Iterator[tuple[Implementation, Device, str | None]]:
    """Yield the implementations of operators, each on each of its `devices`, and why it cannot run there, or None."""
    for name in operators:
        for implementation in catalog.implementations.get(name, {}).values():
            for device in devices(implementation):
                if implementation.runs_on(device.name):
                    yield implementation, device, why_not(implementation, device)


def target_of(
    catalog: Catalog, implementation: Implementation, device: str, *, ours: Collection[str], shard: Shard = WHOLE
) -> Target:
    """Return what is searched, before anything is; `ours` are the operators of this distribution."""
    operator = implementation.operator
    found = catalog.operators[operator]
    tally = Tally(
        open_row(implementation, device),
        names=found.extras.vocabulary is not None,
        excuses=implementation.excuses,
        covering=found.drawing.covering,
    )
    task = task_for(catalog, operator, implementation.name)
    is_ours = task.operator in ours and not task.plugins
    return Target(found, implementation, device, task, tally, ours=is_ours, shard=shard)


def open_row(implementation: Implementation, device: str) -> Row:
    """Return the row of what is searched, before anything is."""
    return Row(
        operator=implementation.operator,
        implementation=implementation.name,
        device=device,
        identity=implementation.identity,
        mode=implementation.mode_name,
    )


def closed_row(implementation: Implementation, device: str, reason: str) -> Row:
    """Return the row of what cannot run here."""
    closed = {"skipped": 1, "skip_reasons": {reason: 1}, "problem": reason, "can_run": False}
    return open_row(implementation, device).model_copy(update=closed)
