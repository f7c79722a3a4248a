"""The schedule: whose turn it is."""

import math
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from eagerdiff.harness.campaign.first_turns import FirstTurns
from eagerdiff.harness.campaign.target import Target

LATELY = 4
"""Turns by which it is told what is found now."""
AHEAD = 2
"""Turns that a family, or a way of one, may have had more than another, for its processes wait where the turn is."""


@dataclass
class Turn:
    """Hand a slot a batch of a target."""

    target: Target
    index: int
    started: float
    """On the monotonic clock; moved on past the start of the device's first process, and past the shrinking of what is
    found, which no target is charged for."""
    first: bool = False
    """Whether it is one of the target's first: one workload, so that soon all have had one."""
    causes: int = 0
    """Causes that it was the first to meet in this campaign."""

    def leave_out(self, seconds: float) -> None:
        """Charge its target with so much less: what is found costs it nothing."""
        self.started += seconds


class Schedule:
    """Choose whose turn it is: operators share the time equally, so do the families of each, and their ways.

    Of an operator with a table these share its entries instead of the time: slow ways are to meet all of them too.

    First turns come before, of one workload each. From then on every other turn of an operator is its way's that lately
    met most new causes a second, and where none met any the next one's by what they have had. With a table it is a
    family's, whose ways take turns: else one would meet its part twice before another met its own.
    """

    def __init__(self, targets: Sequence[Target], slice_seconds: float, first_turns: FirstTurns) -> None:
        self._targets = list(targets)
        self._slice = slice_seconds
        self._first_turns = first_turns
        self._changed = threading.Condition()
        self._turns: defaultdict[Hashable, int] = defaultdict(int)
        """Of each operator."""
        self._met: defaultdict[Hashable, deque[tuple[int, float]]] = defaultdict(lambda: deque(maxlen=LATELY))
        """Of the last turns of what earns turns: causes that they were the first to meet here, and slot seconds."""
        self._slots: dict[Hashable, int] = {}
        """Family, and way → which slot had it last: its processes wait there."""

    def add(self, target: Target) -> None:
        """Add a target that can be searched from now on."""
        with self._changed:
            self._targets.append(target)

    def take(self, takes: Callable[[Target], bool] = lambda target: True, slot: int = 0) -> Turn | None:
        """Return the next turn of those that a slot takes; None where nothing is left to do for it.

        It has rather families whose ways share a process, and of a family ways, that it had last, for their processes
        wait there: but not while others wait for their turns.
        """
        with self._changed:
            ready = [target for target in self._targets if not target.closed and takes(target)]
            first = self._first_turns.choose(ready)
            target = first or self._choose(ready, slot)
            if target is None:
                return None
            target.running += 1
            self._slots.update(dict.fromkeys(target.shares[1 if target.task.process else 2 :], slot))
            return Turn(target, target.take(), time.monotonic(), first=first is not None)

    def give_back(self, turn: Turn, *, finished: bool, fresh: int) -> None:
        """End a turn."""
        with self._changed:
            turn.target.running -= 1
            turn.target.turns += 1
            seconds = time.monotonic() - turn.started
            if turn.first:
                self._first_turns.ended(turn.target, seconds)
            else:
                turn.target.spent += seconds
            self._met[turn.target.earns].append((turn.causes, seconds))
            turn.target.give_back(turn.index, finished=finished, fresh=fresh)

    @property
    def running(self) -> int:
        """How many turns are under way."""
        return sum(target.running for target in self._targets)

    def _choose(self, ready: Sequence[Target], slot: int) -> Target | None:
        if not ready:
            return None
        load: defaultdict[Hashable, float] = defaultdict(float)
        least: defaultdict[Hashable, float] = defaultdict(lambda: math.inf)
        """Of an operator's families, and of a family's ways, what that has had that had least."""
        for target in self._targets:
            for share, had in zip(target.shares, target.had(self._slice), strict=True):
                load[share] += had
        for target in ready:
            for among, share in pairwise(target.shares):
                least[among] = min(least[among], load[share])

        def least_of(targets: Sequence[Target]) -> Target:
            def order(target: Target) -> list[float]:
                order, turn = [load[target.shares[0]]], target.a_turn(self._slice)
                for among, share in pairwise(target.shares):
                    ahead = load[share] > least[among] + AHEAD * turn
                    order += [ahead, self._slots.get(share, slot) != slot, load[share]]
                return order

            return min(targets, key=order)

        next_one = least_of(ready)
        operator = next_one.shares[0]
        among = [target for target in ready if target.shares[0] == operator]
        self._turns[operator] += 1
        if self._turns[operator] % 2:
            return next_one
        running: defaultdict[Hashable, int] = defaultdict(int)
        for target in self._targets:
            running[target.earns] += target.running
        lately = {target.earns: 0.0 for target in among}
        for earns in lately:
            met = self._met[earns]
            seconds = running[earns] * self._slice + sum(seconds for _, seconds in met)
            lately[earns] = sum(causes for causes, _ in met) / seconds if seconds > 0 else 0.0
        best = max(lately, key=lambda earns: lately[earns])
        return least_of([target for target in among if target.earns == best]) if lately[best] else next_one
