"""Crews in this process, which are lost as machines are: at any line, with what they had not told."""

import random
from collections.abc import Callable, Iterator, Sequence

from eagerdiff.harness.campaign.campaign import build_of
from eagerdiff.harness.campaign.events import CrewAt
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.fleet import Crew, CrewLost, Fleet, Hello, Hired, Lease, Setup
from eagerdiff.harness.results.environment import environment


class Near:
    """Reach a crew of this process, which is lost with a chance at each of its lines."""

    def __init__(self, name: str, setup: Setup, chance: float = 0.0, draw: random.Random | None = None) -> None:
        self.name = name
        self.lanes = setup.slots
        self.losses = 0
        self.there = False
        """Whether its machine is, after it was lost."""
        self.leases: list[Lease] = []
        self._setup = setup
        self._chance = chance
        self._draw = draw or random.Random(0)
        self._catalog = load(setup.operators)
        self._crew = Crew(setup, self._catalog)
        self.hello: Hello = self._crew.hello()

    def work(self, lane: int, lease: Lease) -> Iterator[bytes]:
        """Do a lease; raise CrewLost, of what was told half may not have come."""
        self.leases.append(lease)
        lease = Lease.model_validate_json(lease.model_dump_json())
        for told in self._crew.work(lane, lease):
            for line in told.splitlines(keepends=True):
                if self._draw.random() < self._chance:
                    self._lose()
                yield line

    def stop(self, lane: int) -> None:
        """End what a lane is at."""
        self._crew.stop(lane)

    def close(self) -> None:
        """End it."""
        self._crew.close()

    def _lose(self) -> None:
        """End as a machine does, and be there anew as one that was started again."""
        self.losses += 1
        lost, self._crew = self._crew, Crew(self._setup, self._catalog)
        lost.close()
        raise CrewLost("the network did not answer")


class Placed:
    """Place crews (`Placement`): some at once, others when they come."""

    def __init__(self, first: Sequence[Hired], later: Callable[[], Sequence[Hired]] = tuple) -> None:
        self._first = list(first)
        self._later = later

    def hire(self) -> Sequence[Hired]:
        """Return those that are new."""
        first, self._first = self._first, []
        return [*first, *self._later()]

    def complaints(self) -> list[str]:
        """Return nothing."""
        return []

    def measure(self, crews: Sequence[CrewAt]) -> None:
        """Do nothing."""


def setup(spec: str, operator: str, **options: object) -> Setup:
    """Return the setup of crews that work on one operator of this build."""
    told = {"build": build_of(environment()), "operators": [Spec(spec)], "searched": [operator]} | options
    return Setup.model_validate(told)


def fleet(spec: str, operator: str, count: int, *, chance: float = 0.0, seed: int = 0) -> Fleet:
    """Return a fleet of so many crews of one lane, each lost with a chance at every line."""
    told = setup(spec, operator)
    return Fleet(
        Placed([Near(f"crew {number}", told, chance, random.Random(f"{seed} {number}")) for number in range(count)])
    )
