"""A remote hand: does a turn by leasing it to a crew, and takes in what that tells, each thing once."""

import contextlib
import itertools
import time
from typing import TYPE_CHECKING

from eagerdiff.harness.campaign.events import Drawn, Found, Judged, Started
from eagerdiff.harness.campaign.hand import Shared, Worked
from eagerdiff.harness.campaign.journal import JournalEnded
from eagerdiff.harness.campaign.schedule import Turn
from eagerdiff.harness.campaign.target import Target
from eagerdiff.harness.fleet.hired import CrewLost, Hired
from eagerdiff.harness.fleet.lease import Ended, Lease, told_of
from eagerdiff.harness.model.case import RecordedCase
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.search.hunt import Ours

if TYPE_CHECKING:
    from eagerdiff.harness.fleet.fleet import Fleet

LOST_MOST = 3
"""Times that a batch is begun anew when its machine was lost; then it is left out: it may be what ends machines."""
WAIT_SECONDS = 1.0
"""Before a crew that was lost is asked again: whoever places it may have it started elsewhere meanwhile."""
SILENT_MOST = 5
"""Leases in a row of which nothing is heard, after which a crew whose machine has gone is not waited for any more: half
a minute. One whose machine is there is asked again at the same pace."""
_NUMBERS = itertools.count()


class RemoteHand:
    """Lease turns to one lane of a crew."""

    def __init__(self, crew: Hired, lane: int, fleet: "Fleet") -> None:
        self.name = f"{crew.name} lane {lane}"
        self.busy = self.waited = 0.0
        self.shrinking = False
        self.crew = crew
        self.turns = self.workloads = self.lost = 0
        self._lane = lane
        self._fleet = fleet
        self._stopped = False
        self._not_before = 0.0
        """On the monotonic clock."""
        self._silent = 0
        """Leases in a row of which the crew did not say a word."""

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopped

    @property
    def waits(self) -> bool:
        """Whether its crew was lost a moment ago."""
        return time.monotonic() < self._not_before

    def takes(self, target: Target) -> bool:
        """Whether the crew can search a target, and is not waited for."""
        return not self.waits and self._fleet.can(self.crew, target.key)

    def work(self, turn: Turn, shared: Shared) -> Worked:
        """Lease a turn, and take in what comes of it; a crew that is lost leaves the batch to be gone on with."""
        lease = self._lease(turn, shared)
        taking = _Taking(self, turn, shared, lease)
        try:
            for lines in self.crew.work(self._lane, lease):
                for line in lines.splitlines(keepends=True):
                    taking.take(line)
        except JournalEnded:
            self.stop()
            return Worked(finished=False, fresh=taking.fresh)
        except CrewLost as lost:
            why = f"{self.name} was lost: {lost}"
        else:
            if (ended := taking.ended) is not None:
                if ended.ground:
                    shared.complain(f"{self.crew.name} does nothing more: {ended.ground}")
                    self._stopped = True
                return taking.end(ended)
            why = f"{self.name} ended a lease without a word"
        self.shrinking = False
        return self._lost(turn, shared, taking, why)

    def ended(self, target: Target, *, closed: bool) -> bool:
        """Note whether anything could be drawn of a target; return whether no crew is left that may draw of it."""
        if closed:
            return self._fleet.failed(self.crew, target.key)
        self._fleet.managed(self.crew, target.key)
        return False

    def stop(self) -> None:
        """End what the crew is at; safe from any thread."""
        self._stopped = True
        self.crew.stop(self._lane)

    def close(self) -> None:
        """Do nothing: who places crews ends them."""

    def _lease(self, turn: Turn, shared: Shared) -> Lease:
        target, bounds = turn.target, shared.bounds
        found = shared.harvest.findings()
        now = time.monotonic()
        return Lease(
            number=next(_NUMBERS),
            target=target.key,
            batch=turn.index,
            seed=shared.seed,
            first=turn.first,
            seconds=max(0.0, shared.deadline - now),
            slice_seconds=shared.slice_seconds,
            shrink_seconds=bounds.seconds,
            shrink_runs=bounds.runs,
            recorded=shared.journal.recorded(target.key, turn.index),
            judged=shared.judged.known(str(target.key)) if shared.judged else [],
            found=found[self._fleet.told(self.crew, len(found)) :],
        )

    def _lost(self, turn: Turn, shared: Shared, taking: "_Taking", why: str) -> Worked:
        """Leave a batch to be gone on with, on whichever machine; one that was lost too often is left out."""
        if self._stopped:
            return Worked(finished=False, fresh=taking.fresh)
        shared.lost += 1
        self.lost += 1
        lost = turn.target.lost[turn.index] = turn.target.lost.get(turn.index, 0) + taking.began
        if given_up := lost >= LOST_MOST:
            left_out = f"batch {turn.index} was left out: {lost} machines were lost that were at it"
            shared.complain(f"{turn.target.key}: {left_out}")
        self._fleet.told(self.crew, 0)  # what starts anew has forgotten them
        self._silent = 0 if taking.began else self._silent + 1
        if self._silent >= SILENT_MOST and not self.crew.there:  # a machine that comes anew has another crew
            shared.complain(f"{self.name} did not come back: {why}")
            self._stopped = True
        else:
            shared.complain(why)
            self._not_before = time.monotonic() + WAIT_SECONDS * 2 ** min(self._silent, SILENT_MOST - 1)
        # That a batch is left out does not say that nothing is left to be drawn.
        return Worked(finished=given_up, fresh=max(taking.fresh, given_up))


class _Taking:
    """Take in what a crew tells of one lease."""

    def __init__(self, hand: RemoteHand, turn: Turn, shared: Shared, lease: Lease) -> None:
        self.ended: Ended | None = None
        self.fresh = 0
        self.began = False
        """Whether anything ran of it."""
        self._hand = hand
        self._turn = turn
        self._shared = shared
        self._lease = lease
        self._started: dict[str, Workload] = {}

    def take(self, line: bytes) -> None:
        """Take a line in; one that cannot be read, or is of another lease, is passed over, and said."""
        told, target = told_of(line), self._turn.target
        if isinstance(told, Ended):
            if told.lease == self._lease.number:
                self.ended = told
                return
        elif isinstance(told, Started | Judged | Drawn | Found) and told.target == target.key:
            batch = None if isinstance(told, Judged) else told.batch
            if batch in (None, self._turn.index):
                with contextlib.suppress(ValueError):  # no workload is what it says
                    self._take(told)
                    return
        self._shared.complain(f"{self._hand.name} said what cannot be read, or what it was not asked")

    def _take(self, told: Started | Judged | Drawn | Found) -> None:
        shared, turn, self.began = self._shared, self._turn, True
        journal = shared.journal
        match told:
            case Started():
                workload = Workload.from_data(RecordedCase, told.workload)
                if workload.digest == told.digest and journal.begin(told):
                    self._started[told.digest] = workload
            case Judged():
                self._judge(told)
            case Drawn():
                turn.target.tally.skip(told.unsupported)
                journal.note(told)
            case Found():
                ours = shared.harvest.claim(told.finding)
                shared.harvest.keep(told.finding, told.aliases)
                journal.note(told)
                turn.causes += ours is Ours.WHOLLY

    def _judge(self, told: Judged) -> None:
        """Count an outcome, unless another machine told it before: then it was redone."""
        shared, target = self._shared, self._turn.target
        workload = self._started.pop(told.digest, None)
        if workload is None or not shared.journal.take(told):
            shared.redone += 1
            return
        self.fresh += 1
        self._hand.workloads += 1
        self._hand.shrinking = told.shrinking
        shared.account(target, workload, told.about, told.outcome, told.shrinking)

    def end(self, ended: Ended) -> Worked:
        """Take in the end of a lease."""
        shared, target = self._shared, self._turn.target
        self._hand.shrinking = False
        self._hand.busy += ended.busy
        self._hand.turns += 1
        shared.shrink_left -= ended.shrunk
        target.tally.row.judged_before += ended.judged_before
        if ended.all_again and shared.judged is not None:
            shared.judged.leave_none_out(str(target.key))
        self._turn.leave_out(ended.uncharged)
        for line in ended.problems:
            shared.complain(line)
        if self._hand.ended(target, closed=ended.closed):
            target.closed = True
            target.tally.row.problem = target.tally.row.problem or ended.problem
        for reason, count in ended.broken:
            for _ in range(count):
                target.tally.broke(reason)
        if ended.finished:
            target.unsupported.pop(self._turn.index, None)
        else:
            target.unsupported[self._turn.index] = ended.unsupported
        return Worked(finished=ended.finished, fresh=ended.fresh)
