"""The account: what a campaign's targets gave, as results."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from eagerdiff.harness.campaign.causes import tell_causes
from eagerdiff.harness.campaign.events import TargetKey
from eagerdiff.harness.campaign.first_turns import FirstTurns
from eagerdiff.harness.campaign.harvest import Entry, Harvest, Telling
from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.campaign.target import Target
from eagerdiff.harness.model.covering import Pair
from eagerdiff.harness.results.coverage import Vocabulary, coverage
from eagerdiff.harness.results.excuses import Rule, rule_from
from eagerdiff.harness.results.pairs import PairsMet
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.results.unseen import Unseen
from eagerdiff.harness.triage.cause import Cause, cause_of
from eagerdiff.harness.triage.known import Known
from eagerdiff.harness.triage.signature import FailureSignature


@dataclass(frozen=True, kw_only=True)
class Account:
    """Hold what a campaign leaves behind."""

    targets: Sequence[Target]
    elsewhere: Sequence[Tally]
    """What a journal has of targets that were not searched this time."""
    closed: Sequence[Row]
    """What cannot run here."""
    harvest: Harvest
    known: Known
    first_turns: FirstTurns
    vocabularies: Collection[Vocabulary]

    def results(self, elapsed: float) -> Results:
        """Add everything up; `elapsed` is the seconds of wall clock of the search."""
        self._close()
        rows = [*(tally.row for tally in self._tallies), *self.closed]
        entries = self._entries()
        findings = [entry.finding for entry in entries]
        for row in rows:
            own = [found for found in findings if TargetKey.of(found) == TargetKey.of(row)]
            row.findings, row.new = len(own), sum(found.new for found in own)
        telling = Telling(entries)
        for tally in self._tallies:
            tell_causes(tally, telling, self.known)
        return Results(
            rows=sorted(rows, key=TargetKey.of),
            findings=findings,
            elapsed=elapsed,
            coverage=coverage(self.vocabularies, rows),
            excuses=self._rules(),
            pairs=self._pairs(),
            unseen=self._unseen(elapsed),
        )

    @property
    def _tallies(self) -> list[Tally]:
        return [*(target.tally for target in self.targets), *self.elsewhere]

    def _close(self) -> None:
        """Count what batches that did not end turned down, and say of each target what else is known of it."""
        for target in self.targets:
            for unsupported in target.unsupported.values():
                target.tally.skip(unsupported)
            target.unsupported.clear()
            target.tally.row.last_judged = "" if target.judged else self.first_turns.last(target)
        for tally in self._tallies:
            tally.close()

    def _entries(self) -> list[Entry]:
        """Return what was found, and what failed besides."""
        counts: Counter[FailureSignature] = Counter()
        for tally in self._tallies:
            counts.update(tally.failures)
            for example in tally.examples.values():
                self.harvest.tell(example)
        return self.harvest.entries(counts)

    def _rules(self) -> list[Rule]:
        """Return the rules of what was searched, each once."""
        excuses = [excuse for target in self.targets for excuse in target.implementation.excuses]
        return list({one.name: rule_from(one) for one in excuses}.values())

    def _pairs(self) -> list[PairsMet]:
        """Return which pairs of features were met of each operator that has such."""
        found = {target.operator.name: target.operator.drawing.covering for target in self.targets}
        met: dict[str, dict[str, set[Pair]]] = {}
        for target in self.targets:
            of_operator = met.setdefault(target.operator.name, {})
            of_operator.setdefault(target.implementation.name, set()).update(target.tally.pairs)
        return [PairsMet.of(name, covering, met[name]) for name, covering in found.items() if covering is not None]

    def _unseen(self, elapsed: float) -> list[Unseen]:
        """Return an estimate for each operator of which something was drawn."""
        drawn: Counter[str] = Counter()
        met: dict[str, Counter[Cause]] = {}
        for tally in self._tallies:
            name = tally.row.operator
            drawn[name] += tally.drawn
            causes = met.setdefault(name, Counter())
            for signature, count in tally.met.items():
                causes[cause_of(tally.examples[signature])] += count
        named = {name: {cause.digest: count for cause, count in causes.items()} for name, causes in met.items()}
        return [Unseen.of(name, drawn[name], elapsed, named[name]) for name in sorted(met) if drawn[name]]
