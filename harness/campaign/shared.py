"""What all hands of a campaign work on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from eagerdiff.harness.campaign.events import Event, TargetKey
from eagerdiff.harness.campaign.harvest import Harvest
from eagerdiff.harness.campaign.journal import Journal
from eagerdiff.harness.campaign.target import Target
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Limits, WorkerPool
from eagerdiff.harness.search.hunt import Shrinking


class Log(Protocol):
    """Where it is written down what runs and what came of it: a `Journal`, or what hands it on to one.

    Each of its methods raises JournalEnded once nothing is written any more.
    """

    @property
    def failure(self) -> str:
        """Why it ended before the campaign did; empty where it did not."""
        ...

    def claim(self, target: TargetKey, workload: Workload, batch: int) -> Outcome | None:
        """Return the recorded outcome of a workload, or None and record that it is about to run."""
        ...

    def judged(
        self,
        target: TargetKey,
        workload: Workload,
        outcome: Outcome,
        about: tuple[str, ...] = (),
        *,
        always: bool = False,
        shrinking: bool = False,
    ) -> None:
        """Record a workload's outcome."""
        ...

    def abandon(self, target: TargetKey, workload: Workload) -> None:
        """Let a claimed workload go without an outcome."""
        ...

    def note(self, event: Event) -> None:
        """Record anything else."""
        ...


class Before(Protocol):
    """What nights before judged right: a history's `Judged`, or what a crew is told of one."""

    def knows(self, target: str, digest: str) -> bool:
        """Whether a workload of a target was judged right."""
        ...

    def known(self, target: str) -> list[str]:
        """Return the digests of those of a target that were."""
        ...

    def leave_none_out(self, target: str) -> None:
        """Have all workloads of a target run from now on: a whole batch held nothing new."""
        ...


@dataclass
class Shared:
    """Hold what all hands of a campaign work on."""

    harvest: Harvest
    log: Log
    worker_pool: WorkerPool
    limits: Limits
    shrinking: Shrinking
    seed: int
    deadline: float
    """On the monotonic clock: nothing new is drawn after it."""
    slice_seconds: float
    account: Callable[[Target, Workload, tuple[str, ...], Outcome, bool], None]
    """Count an outcome of a workload and what it consists of, and tell the caller; the flag says whether a finding is
    being shrunk."""
    shrink_left: float
    """Seconds of hands that are left for making findings smaller, of the whole campaign; what is found later stays as
    it is."""
    siblings: Callable[[Target], Sequence[Implementation]]
    """Return the implementations of a target's operator."""
    judged: Before | None = None
    """What nights before judged right, and is left out."""
    examples: str = ""
    """The example database: a folder, or an address of Redis."""
    problems: list[str] = field(default_factory=list[str])
    lost: int = 0
    """Turns that ended with the machine that was at them."""
    redone: int = 0
    """Workloads that were run again for that, or on two machines at once: counted once."""

    @property
    def journal(self) -> Journal:
        """The log of a campaign; a crew's is none."""
        assert isinstance(self.log, Journal), "a crew has no journal"
        return self.log

    @property
    def bounds(self) -> Shrinking:
        """What may be spent on the next finding."""
        seconds = min(self.shrinking.seconds, self.shrink_left)
        return replace(self.shrinking, seconds=seconds) if seconds > 0 else Shrinking(seconds=0.0, runs=0)

    def complain(self, line: str) -> None:
        """Note a problem once."""
        if line not in self.problems:
            self.problems.append(line)
