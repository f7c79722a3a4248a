"""A crew that was hired, as the driver sees it, wherever it is."""

from collections.abc import Iterator
from typing import Protocol

from eagerdiff.harness.fleet.lease import Hello, Lease


class CrewLost(Exception):
    """Say in one line why a crew does not answer: its node or its process ended, or the network did."""


class Hired(Protocol):
    """A crew, wherever it is."""

    @property
    def name(self) -> str:
        """Where it is, for a person."""
        ...

    @property
    def hello(self) -> Hello:
        """What it said of itself."""
        ...

    @property
    def lanes(self) -> int:
        """How many leases it does at a time."""
        ...

    @property
    def there(self) -> bool:
        """Whether its machine is there, as far as is known: then it is started again where it ended."""
        ...

    def work(self, lane: int, lease: Lease) -> Iterator[bytes]:
        """Do a lease; yield lines as they come. Raise CrewLost."""
        ...

    def stop(self, lane: int) -> None:
        """End what a lane is at; returns at once."""
        ...
