"""One differential test: an operator's implementation on a device, searched by itself and summed up for a test."""

import itertools
import math
import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Self

from eagerdiff.harness import devices
from eagerdiff.harness.campaign.asking import read_vocabulary
from eagerdiff.harness.campaign.events import TargetKey
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.shard import WHOLE, Shard
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.harness.processes.catalog_tasks import task_for
from eagerdiff.harness.search.confirmation import Confirmation
from eagerdiff.harness.search.drawing import MOST_CALLS
from eagerdiff.harness.search.hunt import Shrinking
from eagerdiff.harness.search.search_process import Order
from eagerdiff.harness.search.searcher import Answers, Searcher
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.known import Known
from eagerdiff.harness.triage.signature import FailureSignature, explaining

SHRINKING_SECONDS = 20.0
"""Most for making one finding smaller."""


@dataclass(frozen=True)
class Subject:
    """Name what one test is about."""

    operator: str
    implementation: str
    device: str

    @property
    def id(self) -> str:
        """The test's parameter, for `pytest -k`."""
        return f"{self.operator}-{self.implementation}-{self.device}"

    @property
    def target(self) -> str:
        """What a campaign calls it, and deals its batches out by."""
        return str(TargetKey(self.operator, self.implementation, self.device))


def subjects(catalog: Catalog, wanted: Collection[str] = (), names: Collection[str] = ()) -> Iterator[Subject]:
    """Return what can be tested here: the implementations in `wanted` on the devices in `names`.

    `wanted` holds names or `operator/name`; nothing given means all of them but those of exploratory operators, and
    its default devices that are available.
    """
    there = [name for name in devices.NAMES if (name in names if names else not devices.parse(name).unavailable())]
    for operator, implementations in sorted(catalog.implementations.items()):
        if not wanted and catalog.operators[operator].drawing.exploratory:
            continue
        for name, implementation in sorted(implementations.items()):
            if wanted and not {name, f"{operator}/{name}"} & set(wanted):
                continue
            mine = tuple(filter(implementation.runs_on, there)) if names else devices.default_devices(implementation)
            yield from (Subject(operator, name, device) for device in there if device in mine)


@dataclass
class Check:
    """Search one subject; hold what came of it."""

    catalog: Catalog
    subject: Subject
    worker: Worker
    known: Known = field(default_factory=Known)
    """What that the corpus holds: counted, not failures."""
    findings: list[Finding] = field(default_factory=list[Finding])
    """New ones, shrunk and run again in a fresh process."""
    met: Counter[FailureSignature] = field(default_factory=Counter[FailureSignature])
    """Known failures, and how often they were met."""
    cases: int = 0
    workloads: int = 0
    compiles: int = 0
    skipped: Counter[str] = field(default_factory=Counter[str])
    """Reason → cases that were not judged."""
    stood_in: Counter[str] = field(default_factory=Counter[str])
    """What the device does not take → cases judged on the one that stands in for it."""
    broken: str = ""
    """The first harness error, in one line."""

    def search(
        self,
        *,
        seed: int = 0,
        examples: int = 20,
        max_cases: int = MOST_CALLS,
        batches: int | None = 1,
        budget: float = float("inf"),
        first: int = 0,
        least: int = 1,
        most: int | None = None,
        shard: Shard = WHOLE,
    ) -> None:
        """Search `batches` of `examples` workloads each (None: any number) until `budget` seconds are over.

        Of the first batch so many workloads at `least` are run, whatever the time, and `most` of them in all where that
        is given; shrinking has a time of its own. Batches are numbered from `first` on: the very first ones are short.
        Of these `shard` leaves others to other machines, as a campaign's does.
        """
        if self.catalog.operators[self.subject.operator].extras.vocabulary is not None:
            spec = self.catalog.spec_of(self.subject.operator) or self.subject.operator
            self.broken = self.broken or read_vocabulary(spec).problem
        ends = time.monotonic() + budget
        answers = Answers(self._run, self._claim, lambda: self._goes_on(ends, least))
        mine = (index for index in itertools.count(first) if shard.holds(self.subject.target, index))
        left = math.inf if most is None else most
        for number, index in enumerate(mine):
            if number == batches or (number and (left <= 0 or time.monotonic() >= ends or self.broken)):
                break
            order = Order(
                task=self.task,
                device=self.subject.device,
                index=index,
                campaign_seed=seed,
                examples=int(min(examples, left)),
                max_cases=max_cases,
                seconds=SHRINKING_SECONDS,
                runs=Shrinking().runs,
            )
            with Searcher(self.subject.device, self.worker.worker_pool, self.worker.limits) as searcher:
                report = searcher.explore(order, answers)
            self.broken = self.broken or report.broken
            self.skipped.update(report.unsupported)
            if report.finding is not None:
                self._confirm(report.finding, report.original)
            for other in report.others:
                if self._claim(other):
                    self._confirm(other)
            left -= examples

    def joined(self, other: "Check") -> Self:
        """Take in what came of another part of the same search, and return this."""
        self.findings += other.findings
        self.cases += other.cases
        self.workloads += other.workloads
        self.compiles += other.compiles
        self.skipped.update(other.skipped)
        self.stood_in.update(other.stood_in)
        self.broken = self.broken or other.broken
        return self

    @property
    def task(self) -> Task:
        """How a worker finds the two, without cases."""
        return task_for(self.catalog, self.subject.operator, self.subject.implementation)

    @property
    def implementation(self) -> Implementation:
        """The subject's implementation."""
        return self.catalog.implementation(self.subject.operator, self.subject.implementation)

    def _run(self, workload: Workload, about: tuple[str, ...]) -> Outcome:
        outcome = self.worker.run(self.task.with_cases(workload))
        judged = [verdict for verdict in outcome.verdicts if verdict.status.judged]
        self.workloads += 1
        self.cases += len(judged)
        self.compiles += outcome.compile_count
        if outcome.refused:
            self.stood_in[outcome.refused] += len(judged)
        self.skipped.update(verdict.reason for verdict in outcome.verdicts if verdict.status is Status.SKIPPED)
        for verdict in (*outcome.verdicts, outcome.workload):
            if verdict.status is Status.HARNESS_ERROR:
                self.broken = self.broken or verdict.reason
        return outcome

    def _goes_on(self, ends: float, least: int) -> bool:
        """Whether the time is not over, or too little was run; nothing more is run once the harness broke."""
        return not self.broken and (time.monotonic() < ends or not self.cases or self.workloads < least)

    def _claim(self, finding: Finding) -> bool:
        if self._is_known(finding):
            return False
        return explaining((found.signature for found in self.findings), finding.signature) is None

    def _confirm(self, finding: Finding, original: Finding | None = None) -> None:
        confirmation = Confirmation(
            implementation=self.implementation,
            device=self.subject.device,
            worker=self.worker,
            task=self.task,
            siblings=list(self.catalog.implementations[self.subject.operator].values()),
        )
        confirmed = confirmation.confirm(finding, original)
        if confirmed is None:
            self.skipped[f"{finding.verdict.reason}, nor does it compiled in other ways"] += 1
        elif confirmed.flaky:
            self.skipped[f"flaky, did not fail again in a fresh process: {confirmed.verdict.describe()}"] += 1
        elif (cause := self.known.sharing_cause(confirmed)) is not None:
            self.met[cause] += 1
        elif not self._is_known(confirmed):  # it may have been shrunk into one that is
            self.findings.append(confirmed)

    def _is_known(self, finding: Finding) -> bool:
        known = self.known.explaining(finding.signature)
        if known is not None:
            self.met[known] += 1
        return known is not None
