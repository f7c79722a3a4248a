"""A relay: the journal of a crew, which keeps nothing: every event goes to the driver, whose journal is the one."""

from collections.abc import Callable

from eagerdiff.harness.campaign.events import Event, Found, Started, TargetKey, judged_of
from eagerdiff.harness.campaign.journal import JournalEnded
from eagerdiff.harness.fleet.lease import Ended, Lease, told_line
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.workload import Workload


class Relay:
    """Answer for one lease as a campaign's journal does (`Log`)."""

    failure = ""

    def __init__(self, lease: Lease, send: Callable[[bytes], None], ground: Callable[[], str] = str) -> None:
        self._send = send
        self._recorded = dict(lease.recorded)
        self._number = 0
        self._ended = False
        self._ground = ground
        self.lost = ""
        """What of this machine has given way, as a full disk does."""

    def claim(self, target: TargetKey, workload: Workload, batch: int) -> Outcome | None:
        """Return the outcome of a workload that ran before; None, and say that it is about to run."""
        if self._ended:
            raise JournalEnded
        recorded = self._recorded.get(workload.digest)
        if recorded is None:
            self.note(Started(target=target, batch=batch, digest=workload.digest, workload=workload.to_data()))
        return recorded

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
        """Tell a workload's outcome; not of a failure that this machine's own ground may be the reason of."""
        if not outcome.right:
            self._stand()
        self.note(judged_of(target, workload, outcome, about, always=always, shrinking=shrinking))
        self._recorded[workload.digest] = outcome

    def abandon(self, target: TargetKey, workload: Workload) -> None:
        """Do nothing: nobody waits."""

    def note(self, event: Event | Ended) -> None:
        """Tell anything else."""
        if isinstance(event, Found):
            self._stand()
        self._send(told_line(event.model_copy(update={"number": self._number})))
        self._number += 1

    def _stand(self) -> None:
        """Raise JournalEnded where something of this machine has given way."""
        self.lost = self.lost or self._ground()
        if self.lost:
            raise JournalEnded

    def end(self) -> None:
        """Give no more claims out."""
        self._ended = True
