"""Taking over what a journal records: verdicts, draws and findings of earlier sessions, of targets searched or not."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eagerdiff.harness.campaign.events import Began, Crews, Drawn, Found, Judged, Started, TargetKey
from eagerdiff.harness.campaign.harvest import Harvest
from eagerdiff.harness.campaign.journal import Journal
from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.campaign.target import Target
from eagerdiff.harness.results.results import Row

ON_RECORD = "on record in the journal, and not searched this time"


class Resumption:
    """Count what is on record: on its target, or on a row of its own where that is not searched this time.

    `closed` holds the rows that cannot be searched here; one that is on record leaves it.
    """

    def __init__(self, targets: Sequence[Target], harvest: Harvest, closed: list[Row]) -> None:
        self._targets = {target.key: target for target in targets}
        self._harvest = harvest
        self._closed = closed
        self._elsewhere: dict[TargetKey, Tally] = {}

    @property
    def elsewhere(self) -> list[Tally]:
        """What the journal has of targets that are not searched this time."""
        return list(self._elsewhere.values())

    def take_over(self, journal: Journal, began: Began) -> None:
        """Count all that a journal records; raise ValueError where that is another campaign's."""
        started: dict[tuple[TargetKey, str], list[dict[str, Any]]] = {}
        for event in journal.record.events():
            match event:
                case Began():
                    _check(event, began, journal.path)
                case Started():
                    started[event.target, event.digest] = event.workload
                case Judged():
                    self._count(event, event.workload or started.pop((event.target, event.digest), []))
                case Drawn():
                    self._skip(event)
                case Found():
                    self._harvest.claim(event.finding)  # its cause has been made smaller
                    self._harvest.keep(event.finding, event.aliases)
                case Crews():
                    pass  # how machines stood then

    def opened(self, target: Target) -> None:
        """Go on with what is on record of a target that is searched from now on."""
        self._targets[target.key] = target
        self._closed[:] = [row for row in self._closed if TargetKey.of(row) != target.key]
        if (tally := self._elsewhere.pop(target.key, None)) is not None:
            tally.row.problem, tally.row.can_run = "", True
            target.tally = tally

    def _count(self, event: Judged, workload: list[dict[str, Any]]) -> None:
        self._tally(event.target).add(workload, event.outcome, event.about, shrinking=event.shrinking)
        if event.target in self._targets:
            self._targets[event.target].spent += event.outcome.seconds

    def _skip(self, event: Drawn) -> None:
        if event.target in self._targets:
            self._targets[event.target].done.add(event.batch)
        self._tally(event.target).skip(event.unsupported)

    def _tally(self, key: TargetKey) -> Tally:
        if key in self._targets:
            return self._targets[key].tally
        if key not in self._elsewhere:
            closed = next((row for row in self._closed if TargetKey.of(row) == key), None)
            name = Row(operator=key.operator, implementation=key.implementation, device=key.device, can_run=False)
            if closed is not None:
                self._closed.remove(closed)
            self._elsewhere[key] = Tally(closed or name.model_copy(update={"problem": ON_RECORD}))
        return self._elsewhere[key]


def _check(was: Began, now: Began, path: Path) -> None:
    before, today = (
        f"seed {event.seed}, " + (f"shard {event.shard}, " if event.shard else "") + event.build for event in (was, now)
    )
    if before != today:
        raise ValueError(f"{path} is the journal of another campaign ({before}; this one is {today})")
