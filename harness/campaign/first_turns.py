"""First turns: each target is judged once before any has more time, the cheap ones first.

What there is no time for waits for the next run, which takes up first what has waited longest. What a target's first
turn costs is remembered from run to run; before that it is what its family's ways took by the same back end.
"""

import statistics
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from eagerdiff.harness.campaign.target import Target
from eagerdiff.harness.corpus.turns import LastTurn
from eagerdiff.harness.model.identity import Stage

UNCOMPILED = 0.5
COMPILED: Mapping[Stage, float] = MappingProxyType(
    {
        Stage.DYNAMO: 1.0,
        Stage.AOT: 2.0,
        Stage.DECOMPOSED: 2.0,
        Stage.INDUCTOR: 3.0,
        Stage.EXPORT: 1.0,
        Stage.AOT_INDUCTOR: 8.0,
        Stage.ENGINE: 5.0,
    }
)
"""Seconds that a first turn is expected to take before any of its family had one, by where the compiler ends."""
TRIES = 3
"""First turns of a target of which no call is judged: what is drawn may not be supported."""
CHEAP = 0.5
"""Share of the time for the cheapest; the rest is for what has waited longest."""


@dataclass
class FirstTurns:
    """Choose whose first turn it is, while there is time for any."""

    memory: dict[str, LastTurn]
    """Target → its last first turn in which it was judged; noted here as they end."""
    seconds: float = 0.0
    """Slot seconds that first turns may take in all."""
    spent: float = 0.0
    _took: dict[Hashable, list[float]] = field(default_factory=dict[Hashable, list[float]])
    """What first turns took in this run, by family and back end."""

    def choose(self, targets: Sequence[Target]) -> Target | None:
        """Return the target whose first turn comes next; None where there is none, or no time.

        The cheapest come first, until half of the time is used; then those that have waited longest.
        """
        waiting = [one for one in targets if one.begins and not one.judged and not one.running and one.turns < TRIES]
        if not waiting or self.spent >= self.seconds:
            return None
        costs = {one.key: self._cost(one) for one in waiting}
        cheapest = min(waiting, key=lambda one: costs[one.key])
        if self.spent + costs[cheapest.key] <= CHEAP * self.seconds:
            return cheapest
        return min(waiting, key=lambda one: (self.last(one), costs[one.key]))

    def ended(self, target: Target, seconds: float) -> None:
        """Take in what a first turn took."""
        self.spent += seconds
        self._took.setdefault(target.shares[1], []).append(seconds)
        if target.judged:
            self.memory[str(target.key)] = LastTurn.ending_now(seconds)

    def last(self, target: Target) -> str:
        """Return when a target last had a first turn in which it was judged, ISO 8601; an empty text for never."""
        turn = self.memory.get(str(target.key))
        return turn.when if turn else ""

    def _cost(self, target: Target) -> float:
        """Return the seconds that a first turn should take: as its last one, or those of its family and back end."""
        turn = self.memory.get(str(target.key))
        if turn is not None:
            return turn.seconds
        if took := self._took.get(target.shares[1]):
            return statistics.fmean(took)
        stage = target.implementation.stage
        return UNCOMPILED if stage is None else COMPILED[stage]
