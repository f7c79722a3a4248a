"""Targets: one operator, implementation and device each, and whose turn it is."""

import threading
import time
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from eagerdiff.harness.campaign.events import TargetKey
from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.catalog.requirements import unmet
from eagerdiff.harness.devices import Device
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.processes.task import Task
from eagerdiff.harness.results.results import Row

BARREN = 3
"""Batches in a row without a workload not run before, after which a target counts as exhausted."""


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
    next_index: int = 0
    paused: list[int] = field(default_factory=list[int])
    """Batches to be taken up again."""
    unsupported: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    """Cases turned down, for each paused batch."""
    done: set[int] = field(default_factory=set[int])
    running: int = 0
    spent: float = 0.0
    """Slot seconds of drawing and judging."""
    found: int = 0
    """Causes that it was the first to meet in this campaign."""
    barren: int = 0
    closed: bool = False
    """Whether there is nothing left to do."""

    @property
    def shares(self) -> tuple[Hashable, Hashable, Hashable]:
        """What shares the time equally: operators, in each of them families (a kernel, or a back end in all modes)."""
        found = self.implementation
        family = found.family if found.family or found.backend else found.name
        return self.operator.name, (self.operator.name, family, found.backend, self.device), self.key

    @property
    def key(self) -> TargetKey:
        """The name in the journal."""
        return TargetKey(self.operator.name, self.implementation.name, self.device)

    @property
    def names(self) -> bool:
        """Whether it is counted what workloads consist of: entries of a table, operations that are specialised."""
        excuses = self.implementation.excuses
        return self.operator.extras.vocabulary is not None or any(one.specialises for one in excuses)

    def take(self) -> int:
        """Return the index of the batch to work on next."""
        if self.paused:
            return self.paused.pop(0)
        while self.next_index in self.done:
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
        self.closed = self.closed or self.barren >= BARREN


@dataclass
class Turn:
    """Hand a slot a batch of a target."""

    target: Target
    index: int
    started: float
    """On the monotonic clock; moved on past the start of the device's first process, and past the shrinking of what is
    found, which no target is charged for."""


class Schedule:
    """Choose whose turn it is: operators share the time equally, their families and ways by what they find.

    Each is given time until new causes are as rare in it as elsewhere: the least seconds a cause first, with one cause
    more for each than it has met, so that all have the same share where nothing is found.
    """

    def __init__(self, targets: Sequence[Target], slice_seconds: float) -> None:
        self._targets = list(targets)
        self._slice = slice_seconds
        self._changed = threading.Condition()

    def take(self) -> Turn | None:
        """Return the next turn; None where nothing is left to do."""
        with self._changed:
            target = self._choose()
            if target is None:
                return None
            target.running += 1
            return Turn(target, target.take(), time.monotonic())

    def credit(self, turn: Turn, *, whole: bool) -> None:
        """Count what a turn's target found, where it is the first of its cause."""
        with self._changed:
            turn.target.found += whole

    def give_back(self, turn: Turn, *, finished: bool, fresh: int) -> None:
        """End a turn."""
        with self._changed:
            turn.target.running -= 1
            turn.target.spent += time.monotonic() - turn.started
            turn.target.give_back(turn.index, finished=finished, fresh=fresh)

    @property
    def running(self) -> int:
        """How many turns are under way."""
        return sum(target.running for target in self._targets)

    def _choose(self) -> Target | None:
        ready = [target for target in self._targets if not target.closed]
        if not ready:
            return None
        load: defaultdict[Hashable, float] = defaultdict(float)
        found: defaultdict[Hashable, int] = defaultdict(int)
        for target in self._targets:
            operator, *inner = target.shares
            load[operator] += self._load(target)
            for share in inner:
                load[share] += self._load(target)
                found[share] += target.found
        return min(ready, key=lambda target: [load[share] / (1 + found[share]) for share in target.shares])

    def _load(self, target: Target) -> float:
        return target.spent + target.running * self._slice


def obstacle(implementation: Implementation, device: Device) -> str | None:
    """Return why an implementation cannot run on a device here, in one line, or None."""
    return device.unavailable() or unmet(implementation.requires, device)


def open_row(operator: str, implementation: Implementation, device: str) -> Row:
    """Return the row of what is searched, before anything is."""
    return Row(
        operator=operator,
        implementation=implementation.name,
        device=device,
        identity=implementation.identity,
        mode=implementation.mode_name,
    )


def closed_row(operator: str, implementation: Implementation, device: str, reason: str) -> Row:
    """Return the row of what cannot run here."""
    closed = {"skipped": 1, "skip_reasons": {reason: 1}, "problem": reason, "can_run": False}
    return open_row(operator, implementation, device).model_copy(update=closed)
