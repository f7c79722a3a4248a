"""The tally: from outcomes to the rows of the report."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from eagerdiff.harness.campaign.distinct import Distinct
from eagerdiff.harness.model.covering import Covering, Pair
from eagerdiff.harness.model.excuse import Excuse, rule_of
from eagerdiff.harness.model.kernel_coverage import add_places
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.results.coverage import Met
from eagerdiff.harness.results.excuses import Excused
from eagerdiff.harness.results.results import Row
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.normalisation import normalise
from eagerdiff.harness.triage.signature import FailureSignature, failures


class Tally:
    """Count what one operator × implementation × device gave."""

    def __init__(
        self, row: Row, *, names: bool = False, excuses: Sequence[Excuse] = (), covering: Covering | None = None
    ) -> None:
        self.row = row
        self.pairs: set[Pair] = set()
        """Pairs of features that stood in a call that was judged."""
        self._covering = covering
        self._excuses = excuses
        self._names = names
        """Whether it is counted what workloads consist of."""
        self.failures: Counter[FailureSignature] = Counter()
        """How often each failure was met."""
        self.examples: dict[FailureSignature, Finding] = {}
        """Each failure as it was first met."""
        self.drawn = 0
        """Workloads that were drawn, not made of a finding, and judged."""
        self.met: Counter[FailureSignature] = Counter()
        """In how many of them each failure was met."""
        self._sizes = Distinct()

    def add(
        self,
        workload: list[dict[str, Any]],
        outcome: Outcome,
        about: tuple[str, ...] = (),
        *,
        shrinking: bool = False,
    ) -> None:
        """Count the outcome of a workload, and what a failing one consists of."""
        row = self.row
        row.seconds += outcome.seconds
        self._skip(workload, outcome, about)
        judged = [verdict for verdict in outcome.verdicts if verdict.status.judged]
        if self._names:
            met = row.met.setdefault("+".join(about), Met())
            met.drawn += len(workload)
            met.compared += len(judged)
        died = outcome.workload.failed and len(outcome.verdicts) < len(workload)
        if not judged and not died:
            return
        row.workloads += 1
        row.cases += len(judged) + died
        if outcome.refused:
            row.stood_in[outcome.refused] = row.stood_in.get(outcome.refused, 0) + len(judged) + died
        row.survived += sum(1 for verdict in judged if verdict.surviving_mutants)
        for verdict in judged:
            if not verdict.failed:
                row.closeness.count(verdict.numbers)
        row.launches += outcome.launches
        if self._covering is not None:
            for code in set(outcome.features):
                self.pairs.update(combinations(self._covering.decode(code), 2))
        add_places(row.kernels, outcome.kernels)
        for kernel, count in ((kernel, count) for call in outcome.launched for kernel, count in call.items()):
            row.launches_a_call[kernel] = max(count, row.launches_a_call.get(kernel, 0))
        self._count_compiles(outcome)
        for case in workload:
            self._sizes.add(json.dumps(case, sort_keys=True))
        self.drawn += not shrinking
        shown = set[FailureSignature]()
        for verdict in failures(outcome):
            found = Finding(
                operator=row.operator,
                implementation=row.implementation,
                identity=row.identity,
                device=row.device,
                verdict=verdict,
                workload=workload,
                about=about,
            )
            self.failures[found.signature] += 1
            self.examples.setdefault(found.signature, found)
            row.failures += 1
            shown.add(found.signature)
        if not shrinking:
            self.met.update(shown)

    def close(self) -> None:
        """Say in the row what is only known when all is counted."""
        self.row.distinct_sizes = len(self._sizes)

    def skip(self, reasons: Iterable[str], about: Iterable[str] = ()) -> None:
        """Count cases that were not run, one a reason; an excuse also by its rule, and by what the workload holds."""
        for reason in reasons:
            self.row.skipped += 1
            rule = rule_of(reason, self._excuses)
            _count(self.row.skip_reasons, rule.name if rule else reason)
            if rule is not None:
                excused = self.row.excused.setdefault(rule.name, Excused())
                excused.count(reason.partition(": ")[2], about if rule.specialises else ())

    def broke(self, reason: str) -> None:
        """Count a harness error."""
        _count(self.row.harness_errors, reason)

    def _skip(self, workload: list[dict[str, Any]], outcome: Outcome, about: tuple[str, ...]) -> None:
        self.skip((verdict.reason for verdict in outcome.verdicts if verdict.status is Status.SKIPPED), about)
        if outcome.workload.status is Status.SKIPPED:
            self.skip([outcome.workload.reason] * (len(workload) - len(outcome.verdicts)))
        for verdict in (*outcome.verdicts, outcome.workload):
            if verdict.status is Status.HARNESS_ERROR:
                self.broke(verdict.reason)

    def _count_compiles(self, outcome: Outcome) -> None:
        row = self.row
        row.compiles += outcome.compile_count
        _count(row.compiles_per_workload, outcome.compile_count)
        if outcome.compile_note:
            _count(row.compile_changes, outcome.compile_note)
        seconds = Counter[str]()
        seen: set[tuple[str, str]] = set()
        for record in outcome.compiles:
            seconds[record.layer] += record.seconds  # pyright: ignore[reportArgumentType]  a Counter of floats
            if record.reason and (record.layer, record.frame) in seen:
                _count(row.recompile_reasons, normalise(record.reason))
            seen.add((record.layer, record.frame))
        row.compile_seconds += max(seconds.values(), default=0)  # layers nest: the outermost holds the others


def _count(histogram: dict[Any, int], key: Any) -> None:
    histogram[key] = histogram.get(key, 0) + 1
