"""Targets: one operator, implementation and device each, and whose turn it is."""

import threading
import time
from collections import defaultdict, deque
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

LATELY = 4
"""Turns by which it is told what a target finds now."""
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
    turns: int = 0
    """Turns that ended."""
    spent: float = 0.0
    """Slot seconds of drawing and judging."""
    met: deque[tuple[int, float]] = field(default_factory=lambda: deque([(0, 0.0)], maxlen=LATELY))
    """Of its last turns: causes that it was the first to meet in this campaign, and slot seconds."""
    barren: int = 0
    closed: bool = False
    """Whether there is nothing left to do."""

    @property
    def shares(self) -> tuple[Hashable, Hashable, Hashable]:
        """What shares the time equally: operators, in each of them families (a kernel, or a back end in all modes)."""
        found = self.implementation
        family = found.family if found.family or found.backend else found.name
        return self.operator.name, (self.operator.name, family, found.backend, self.device), self.key

    def lately(self, ahead: float) -> float:
        """Return the causes a second of its last turns, with so many seconds more for turns that are under way."""
        seconds = ahead + sum(seconds for _, seconds in self.met)
        return sum(causes for causes, _ in self.met) / seconds if seconds > 0 else 0.0

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
    first: bool = False
    """Whether it is the target's first: one workload, so that soon all have had one."""
    causes: int = 0
    """Causes that it was the first to meet in this campaign."""

    def leave_out(self, seconds: float) -> None:
        """Charge its target with so much less: what is found costs it nothing."""
        self.started += seconds


class Schedule:
    """Choose whose turn it is: operators share the time equally, so do the families of each, and their ways.

    Before a way has a second turn each of its operator has had a first one, of one workload. From then on every other
    turn of an operator is its way's that lately met most new causes a second, and where none met any the next one's by
    what they have had.
    """

    def __init__(self, targets: Sequence[Target], slice_seconds: float) -> None:
        self._targets = list(targets)
        self._slice = slice_seconds
        self._changed = threading.Condition()
        self._turns: defaultdict[Hashable, int] = defaultdict(int)
        """Of each operator."""

    def take(self) -> Turn | None:
        """Return the next turn; None where nothing is left to do."""
        with self._changed:
            target = self._choose()
            if target is None:
                return None
            target.running += 1
            return Turn(target, target.take(), time.monotonic(), first=not target.turns)

    def give_back(self, turn: Turn, *, finished: bool, fresh: int) -> None:
        """End a turn."""
        with self._changed:
            turn.target.running -= 1
            turn.target.turns += 1
            seconds = time.monotonic() - turn.started
            turn.target.spent += seconds
            turn.target.met.append((turn.causes, seconds))
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
        for target in self._targets:
            for share in target.shares:
                load[share] += self._load(target)

        def least_of(targets: Sequence[Target]) -> Target:
            return min(targets, key=lambda target: [load[share] for share in target.shares])

        least = least_of(ready)
        operator = least.shares[0]
        among = [target for target in ready if target.shares[0] == operator]
        if new := [target for target in among if not target.turns and not target.running]:
            return least_of(new)
        self._turns[operator] += 1
        if self._turns[operator] % 2:
            return least
        best = max(among, key=self._lately)
        return best if self._lately(best) else least

    def _lately(self, target: Target) -> float:
        return target.lately(target.running * self._slice)

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
