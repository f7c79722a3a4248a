"""Merging: reports of parts of a campaign, or of several of one kind, added up to one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from eagerdiff.harness.model.kernel_coverage import add_places
from eagerdiff.harness.model.shard import WHOLE, Shard
from eagerdiff.harness.results.coverage import Covered, Met
from eagerdiff.harness.results.excuses import Excused
from eagerdiff.harness.results.pairs import PairsMet
from eagerdiff.harness.results.part import Part
from eagerdiff.harness.results.results import Replay, Results, Row, SameCause
from eagerdiff.harness.results.unseen import Unseen
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import Symptom

_KIND = ("torch", "triton", "gpu")
"""What of an environment must be the same for reports to be added up: else they stand side by side."""
_SUMS = ("cases", "workloads", "compiles", "failures", "skipped", "survived", "launches", "judged_before")
_REASONS = ("skip_reasons", "stood_in", "recompile_reasons", "compile_changes", "harness_errors")
_STATUSES = ("HARNESS_ERROR", "CHANGED", "GONE", "PRESENT", "SKIPPED", "WAITING")
"""Of a kept finding that several replayed, the first of these that any saw."""
_SEVERAL = " and "
Key = TypeVar("Key")
Place = tuple[str, str, str]
"""Operator, implementation, device."""


def kind_of(results: Results) -> tuple[str, ...]:
    """Return what must be the same for reports to be added up: torch, triton, GPU."""
    return tuple(results.environment.get(name, "") for name in _KIND)


def merged(parts: Mapping[str, Results]) -> Results:
    """Add up reports of one kind, by name; each keeps its own, and nothing of them is changed.

    Cases, failures and findings are added; one bug that several met is one entry. What is only known as a number of
    different things (`distinct_sizes`, pairs by implementation) is the largest of theirs: so many at least. A seed's
    part that is there twice is counted twice, and said (`Results.problems`), and so is one that is not there.
    """
    every = list(parts.values())
    entries = _Entries()
    for name, one in parts.items():
        for finding in one.findings:
            entries.add(name, finding)
    rows = _rows(every)
    for row in rows:
        own = [entry for entry in entries.kept if _place(entry) == _place(row)]
        row.findings, row.new = len(own), sum(entry.new for entry in own)
        row.same_cause = entries.told_elsewhere(row)
    result = Results(
        rows=rows,
        findings=entries.kept,
        notes=list({note.name: note for one in every for note in one.notes}.values()),
        replays=_replays(every),
        metrics=list({taken.operator: taken for one in reversed(every) for taken in one.metrics}.values()),
        coverage=_coverage(every),
        pairs=_pairs(every),
        unseen=_unseen(every),
        excuses=list({rule.name: rule for one in every for rule in one.excuses}.values()),
        detections=max((one.detections for one in every), key=len, default=[]),
        environment=_environment(every),
        installed=list({(one.part, one.name): one for found in every for one in found.installed}.values()),
        started=min((one.started for one in every if one.started), default=""),
        elapsed=max((one.elapsed for one in every), default=0.0),
        budget=max((one.budget for one in every), default=0.0),
        seed=next((one.seed for one in every), 0),
        interrupted=any(one.interrupted for one in every),
        problems=[*_dealt(parts), *(f"{name}: {line}" for name, one in parts.items() for line in one.problems)],
        broken=[f"{name}: {line}" for name, one in parts.items() for line in one.broken],
        parts=[part for name, one in parts.items() for part in one.parts or [Part.of(name, one)]],
    )
    result.add_up()
    return result


class _Entries:
    """Collect findings of several reports, one entry a bug."""

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self._alike: defaultdict[tuple[str, Symptom], list[int]] = defaultdict(list)
        """Numbers of the entries of one operator and symptom: no others are one bug (`FailureSignature.explains`)."""
        self._told: dict[Place, Counter[int]] = {}
        """Where an entry was met besides its own place → its number → failures."""

    def add(self, part: str, finding: Finding) -> None:
        """Take a finding in; its script is said to be in a folder of its part's name."""
        told = finding.model_copy(deep=True)
        told.script = told.script and f"{part}/{told.script}"
        signature = told.signature
        alike = self._alike[signature.operator, signature.symptom]
        for at in alike:
            other = self.kept[at]
            if other.signature.explains(signature):
                self._join(at, told)
                return
            if signature.explains(other.signature):
                self.kept[at] = told
                self._join(at, other)
                return
        alike.append(len(self.kept))
        self.kept.append(told)

    def _join(self, at: int, other: Finding) -> None:
        """Count another report's finding under an entry, and have the entry be what of the two says most."""
        one = self.kept[at]
        if one.signature == other.signature and _worth(other) > _worth(one):
            one, other = other, one
        self.kept[at] = one.model_copy(
            update={
                "count": one.count + other.count,
                "new": (one.new or other.new) and not (one.kept or other.kept),
                "kept": one.kept or other.kept,
                "flaky": one.flaky and other.flaky,
            }
        )
        if _place(one) != _place(other):
            self._told.setdefault(_place(other), Counter())[at] += other.count

    def told_elsewhere(self, row: Row) -> list[SameCause]:
        """Return whose entries tell of a row's failures, each once."""
        found: dict[tuple[str, str], SameCause] = {}
        for cause in row.same_cause:
            _count(found, cause)
        for at, failures in self._told.get(_place(row), Counter[int]()).items():
            one = self.kept[at]
            what = f"{one.defect.value}: {one.verdict.describe()}"
            place = {"operator": one.operator, "implementation": one.implementation, "device": one.device}
            _count(found, SameCause(**place, what=what, new=one.new, failures=failures))
        return list(found.values())


def _count(found: dict[tuple[str, str], SameCause], cause: SameCause) -> None:
    held = found.setdefault((cause.place, cause.what), cause.model_copy(update={"failures": 0}))
    held.failures += cause.failures
    held.new |= cause.new


def _worth(finding: Finding) -> tuple[bool, bool, bool, bool, int]:
    """Order findings of one bug by what they say: a script, not flaky, run again, made smaller, few calls."""
    return bool(finding.script), not finding.flaky, finding.reproduced, finding.shrunk, -len(finding.workload)


def _place(one: Row | Finding) -> Place:
    return one.operator, one.implementation, one.device


def _rows(every: Sequence[Results]) -> list[Row]:
    rows: dict[Place, list[Row]] = {}
    for row in (row for one in every for row in one.rows):
        rows.setdefault(_place(row), []).append(row)
    return [_row(found) for _, found in sorted(rows.items())]


def _row(found: Sequence[Row]) -> Row:
    """Add up the rows of one place; one that could not run somewhere says so only where it could run nowhere."""
    able = [one for one in found if one.can_run] or found
    total = able[0].model_copy(deep=True, update={"can_run": any(one.can_run for one in found)})
    for one in found:
        if one is able[0]:
            continue
        for name in _SUMS:
            setattr(total, name, getattr(total, name) + getattr(one, name))
        total.seconds += one.seconds
        total.compile_seconds += one.compile_seconds
        for name in (*_REASONS, "compiles_per_workload"):
            setattr(total, name, _sum(getattr(total, name), getattr(one, name)))
        total.same_cause += [cause.model_copy() for cause in one.same_cause]
        total.closeness.add(one.closeness)
        total.distinct_sizes = max(total.distinct_sizes, one.distinct_sizes)
        total.last_judged = max(total.last_judged, one.last_judged)
        for kernel, launches in one.launches_a_call.items():
            total.launches_a_call[kernel] = max(launches, total.launches_a_call.get(kernel, 0))
        add_places(total.kernels, one.kernels)
        _add_met(total.met, one.met)
        _add_excused(total.excused, one.excused)
    if total.can_run:
        total.problem = next((one.problem for one in able if one.problem), "") if not total.cases else ""
    if total.cases:
        total.last_judged = ""
    return total


def _sum(one: dict[Key, int], other: Mapping[Key, int]) -> dict[Key, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in (*one, *(key for key in other if key not in one))}


def _add_met(total: dict[str, Met], other: Mapping[str, Met]) -> None:
    for name, met in other.items():
        held = total.setdefault(name, Met())
        held.drawn += met.drawn
        held.compared += met.compared


def _add_excused(total: dict[str, Excused], other: Mapping[str, Excused]) -> None:
    for name, excused in other.items():
        held = total.setdefault(name, Excused())
        held.calls += excused.calls
        held.proof = held.proof or excused.proof
        held.operations = _sum(held.operations, excused.operations)


def _replays(every: Sequence[Results]) -> list[Replay]:
    """Return each kept finding once: as the machine saw it that saw most."""
    found: dict[tuple[str, str, str, str], Replay] = {}
    for one in (replay for results in every for replay in results.replays):
        key = (one.operator, one.implementation, one.device, one.name)
        if key not in found or _rank(one) < _rank(found[key]):
            found[key] = one
    return list(found.values())


def _rank(replay: Replay) -> int:
    return _STATUSES.index(replay.status) if replay.status in _STATUSES else len(_STATUSES)


def _coverage(every: Sequence[Results]) -> dict[str, list[Covered]]:
    tables: dict[str, dict[str, Covered]] = {}
    for name, entries in (item for one in every for item in one.coverage.items()):
        table = tables.setdefault(name, {})
        for entry in entries:
            held = table.setdefault(entry.name, Covered(name=entry.name, why=entry.why))
            held.why = held.why and entry.why  # what one machine draws is drawn
            held.drawn += entry.drawn
            held.compared += entry.compared
            held.backward += entry.backward
            held.ways = _sum(held.ways, entry.ways)
    return {name: list(table.values()) for name, table in tables.items()}


def _pairs(every: Sequence[Results]) -> list[PairsMet]:
    found: dict[str, list[PairsMet]] = {}
    for one in (pairs for results in every for pairs in results.pairs):
        found.setdefault(one.operator, []).append(one)
    return [_pairs_of(several) for several in found.values()]


def _pairs_of(several: Sequence[PairsMet]) -> PairsMet:
    first = several[0]
    lacking = set(first.missing).intersection(*(one.missing for one in several))
    missing = [pair for pair in first.missing if pair in lacking]
    most: dict[str, int] = {}
    for name, count in (item for one in several for item in one.by_implementation.items()):
        most[name] = max(count, most.get(name, 0))
    met = first.pairs - len(missing)
    return first.model_copy(update={"met": met, "missing": missing, "by_implementation": most})


def _unseen(every: Sequence[Results]) -> list[Unseen]:
    """Add up how often each cause was met; where a report does not say that, there is no estimate of its operator."""
    found: dict[str, list[Unseen]] = {}
    for one in (unseen for results in every for unseen in results.unseen):
        found.setdefault(one.operator, []).append(one)
    return [
        Unseen.of(name, sum(one.workloads for one in several), max(one.seconds for one in several), _met(several))
        for name, several in found.items()
        if all(len(one.met) == one.causes for one in several)
    ]


def _met(several: Iterable[Unseen]) -> dict[str, int]:
    met: dict[str, int] = {}
    for one in several:
        met = _sum(met, one.met)
    return met


def _environment(every: Sequence[Results]) -> dict[str, str]:
    """Return what each says of its machine; what differs is said in full."""
    said: dict[str, dict[str, None]] = {}
    for name, value in (item for one in every for item in one.environment.items()):
        said.setdefault(name, {})[value] = None
    return {name: _SEVERAL.join(values) for name, values in said.items()}


def _dealt(parts: Mapping[str, Results]) -> Iterator[str]:
    """Say which parts of a seed are there twice, or are not."""
    dealt: dict[tuple[int, str, int], dict[int, list[str]]] = {}
    for name, one in parts.items():
        shard = Shard.parse(one.shard) if one.shard else WHOLE
        commit = one.environment.get("commit", "")
        dealt.setdefault((one.seed, commit, shard.count), {}).setdefault(shard.index, []).append(name)
    for (seed, _, count), held in dealt.items():
        for index, names in held.items():
            if len(names) > 1 and not any(parts[name].parts for name in names):
                several = _SEVERAL.join(names)
                yield f"{several} are both part {Shard(index, count)} of seed {seed}: what both drew is counted twice"
        lacking = [str(Shard(index, count)) for index in range(count) if index not in held]
        if lacking:
            yield f"of seed {seed} there is no report of {', '.join(lacking[:8])}" + " …" * (len(lacking) > 8)
