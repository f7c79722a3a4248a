"""The workforce: who works on a campaign, and what they can search."""

from collections.abc import Sequence
from typing import Protocol

from eagerdiff.harness.campaign.events import CrewAt
from eagerdiff.harness.campaign.hand import Hand, LocalHand
from eagerdiff.harness.campaign.target import obstacle
from eagerdiff.harness.devices import Device, default_devices, parse
from eagerdiff.harness.model.implementation import Implementation


class Workforce(Protocol):
    """Hands that work on a campaign, of one machine or many."""

    @property
    def size(self) -> int:
        """How many turns are worked on at a time."""
        ...

    def devices(self, implementation: Implementation) -> Sequence[Device]:
        """Return the devices on which an implementation is searched, where nobody names some."""
        ...

    def obstacle(self, implementation: Implementation, device: Device) -> str | None:
        """Return why an implementation cannot run on a device, in one line; None where it can."""
        ...

    def hands(self) -> list[Hand]:
        """Return the hands that are there and were not returned before."""
        ...

    def complaints(self) -> list[str]:
        """Return what is to be said of those that could not help, a line each."""
        ...

    def crews(self) -> list[CrewAt]:
        """Return the machines that work on it besides this one, as they stand."""
        ...


class Here:
    """Be the workforce that this machine is: so many hands."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._fresh = size

    def devices(self, implementation: Implementation) -> Sequence[Device]:
        """Return the default devices of an implementation."""
        return [parse(name) for name in default_devices(implementation)]

    def obstacle(self, implementation: Implementation, device: Device) -> str | None:
        """Return what an implementation or its device lacks here."""
        return obstacle(implementation, device)

    def hands(self) -> list[Hand]:
        """Return them all, once."""
        fresh, self._fresh = self._fresh, 0
        return [LocalHand() for _ in range(fresh)]

    def complaints(self) -> list[str]:
        """Return nothing: whoever breaks here says so itself."""
        return []

    def crews(self) -> list[CrewAt]:
        """Return nothing: this machine is all."""
        return []
