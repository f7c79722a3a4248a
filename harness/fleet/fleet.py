"""What a fleet is to a campaign: crews that are hired, whoever places them, and a hand for each lease at a time."""

import threading
from collections.abc import Sequence
from typing import Protocol

from eagerdiff.harness.campaign.events import CrewAt, TargetKey
from eagerdiff.harness.campaign.hand import Hand
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.fleet.hired import Hired
from eagerdiff.harness.fleet.remote_hand import RemoteHand
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.report.words import plural

FAILED_MOST = 3
"""Leases in a row in which nothing could be drawn of a target, after which a crew has no more of it."""


class Placement(Protocol):
    """Who places crews on machines: Ray."""

    def hire(self) -> Sequence[Hired]:
        """Return the crews that are there and have not been returned before."""
        ...

    def complaints(self) -> list[str]:
        """Return what is to be said of crews that were sent away, a line each."""
        ...

    def measure(self, crews: Sequence[CrewAt]) -> None:
        """Hear how the crews stand, for whoever watches the machines."""
        ...


class Fleet:
    """Be a campaign's workforce (`Workforce`): it searches what any of the crews can that are there, or come later."""

    def __init__(self, placement: Placement) -> None:
        self._placement = placement
        self._lock = threading.Lock()
        self._fresh: list[Hired] = list(placement.hire())
        self._hands: list[RemoteHand] = []
        self._count, self._lanes = len(self._fresh), sum(crew.lanes for crew in self._fresh)
        self._told: dict[str, int] = {}
        """Crew → findings of the campaign that it knows of."""
        self._can: dict[str, set[TargetKey]] = {}
        """Crew → what it can search, as far as is known."""
        self._failed: dict[tuple[str, TargetKey], int] = {}
        """Crew and target → how often in a row nothing could be drawn of it there."""
        self._open = {key for crew in self._fresh for key in crew.hello.open}
        self._obstacles = {key: why for crew in reversed(self._fresh) for key, why in crew.hello.obstacles}

    @property
    def size(self) -> int:
        """How many leases are worked on at a time."""
        return max(1, self._lanes)

    @property
    def said(self) -> str:
        """How large it is, for a person."""
        return f"a fleet of {plural(self._count, 'crew')}, {plural(self._lanes, 'turn')} at a time"

    def devices(self, implementation: Implementation) -> Sequence[Device]:
        """Return the devices of an implementation that some crew has, or would have."""
        mine = [
            key for key in (*self._open, *self._obstacles) if key[:2] == (implementation.operator, implementation.name)
        ]
        return [parse(name) for name in sorted({key.device for key in mine})]

    def obstacle(self, implementation: Implementation, device: Device) -> str | None:
        """Return why no crew can run an implementation on a device; None where one can."""
        key = TargetKey(implementation.operator, implementation.name, device.name)
        return None if key in self._open else self._obstacles.get(key, "no machine of the fleet has the device")

    def hands(self) -> list[Hand]:
        """Return a hand for each lane of the crews that came since it was last asked."""
        with self._lock:
            fresh, self._fresh = [*self._fresh, *self._placement.hire()], []
            self._can |= {crew.name: set(crew.hello.open) for crew in fresh}
            self._open |= {key for crew in fresh for key in crew.hello.open}
            self._obstacles |= {key: why for crew in fresh for key, why in crew.hello.obstacles}
            hands = [RemoteHand(crew, lane, self) for crew in fresh for lane in range(crew.lanes)]
            self._hands += hands
        return list[Hand](hands)

    def can(self, crew: Hired, target: TargetKey) -> bool:
        """Whether a crew can search a target, as far as is known."""
        return target in self._can[crew.name]

    def managed(self, crew: Hired, target: TargetKey) -> None:
        """Note that a crew could work on a target."""
        self._failed.pop((crew.name, target), None)

    def failed(self, crew: Hired, target: TargetKey) -> bool:
        """Note that nothing more could be drawn of a target by a crew; return whether no crew is left that may.

        It may have been due to what was killed there: only the third time in a row no more is leased to it.
        """
        times = self._failed[crew.name, target] = self._failed.get((crew.name, target), 0) + 1
        if times >= FAILED_MOST:
            self._can[crew.name].discard(target)
        return not any(target in can for can in self._can.values())

    def told(self, crew: Hired, findings: int) -> int:
        """Note how many of the campaign's findings a crew knows of now; return how many it knew of."""
        with self._lock:
            before, self._told[crew.name] = self._told.get(crew.name, 0), findings
        return before

    def crews(self) -> list[CrewAt]:
        """Return the crews, as they stand."""
        with self._lock:
            hands = list(self._hands)
        found: dict[str, CrewAt] = {}
        for hand in hands:
            one = found.setdefault(hand.crew.name, CrewAt(name=hand.crew.name, lanes=hand.crew.lanes, gone=True))
            one.turns += hand.turns
            one.workloads += hand.workloads
            one.lost += hand.lost
            one.gone &= hand.stopped
        crews = list(found.values())
        self._placement.measure(crews)
        return crews

    def complaints(self) -> list[str]:
        """Return what is to be said of machines that could not help, a line each."""
        return self._placement.complaints()
