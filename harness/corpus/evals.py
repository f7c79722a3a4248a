"""The corpus: kept findings as pydantic-evals datasets, read as data and replayed one at a time.

The only user of pydantic-evals. A corpus file names no evaluator: loading one executes nothing.
"""

import asyncio
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_serializer
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.model.identity import Identity
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.reading import CORPUS, Unreadable, misfit, parse_yaml, read_text
from eagerdiff.harness.results.results import Replay
from eagerdiff.harness.triage.cause import Cause, cause_of
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import FailureSignature, Symptom, failures


class CorpusError(ValueError):
    """Say in one line why a corpus file cannot be read or written."""


class Kept(BaseModel):
    """Name what is run again: an implementation, a device and a shrunk workload."""

    model_config = ConfigDict(extra="forbid")

    implementation: str
    device: str
    workload: list[dict[str, Any]] = Field(min_length=1)
    """The cases in call order."""
    about: tuple[str, ...] = ()
    """What the workload consists of (`Finding.about`)."""
    identity: Identity | None = Field(default=None, exclude_if=lambda identity: identity is None)
    """What the implementation is; None in an entry that does not say: then the catalog does."""


class Observed(BaseModel):
    """Say what came of it: the first failure's status and symptom (`FailureSignature.symptom`)."""

    model_config = ConfigDict(extra="forbid")

    status: Status
    symptom: Symptom | None = None
    """None where nothing failed."""
    verdict: Verdict | None = Field(default=None, exclude_if=lambda verdict: verdict is None)
    """The failure, without numbers, by which its cause is told; None in an entry that does not say."""
    reason: str = ""
    numbers: dict[str, float] = Field(default_factory=dict[str, float])
    """Finite ones only: one non-finite number voids a whole row of pydantic-evals."""

    @field_serializer("verdict")
    def _without_defaults(self, verdict: Verdict | None) -> dict[str, Any] | None:
        return None if verdict is None else verdict.model_dump(mode="json", exclude_defaults=True)


class Origin(BaseModel):
    """Say where a kept finding came from."""

    model_config = ConfigDict(extra="forbid")

    seed: int = 0
    note: str = ""
    """Where it is reported, which release it was seen in."""


Corpus = Dataset[Kept, Observed, Origin]
"""One operator's kept findings; its name is the operator's."""
Entry = Case[Kept, Observed, Origin]
"""One of them."""


@dataclass
class SameFailure(Evaluator[Kept, Observed, Origin]):
    """Compare what is seen now with what was kept: PRESENT, CHANGED, GONE, SKIPPED or HARNESS_ERROR."""

    def evaluate(self, ctx: EvaluatorContext[Kept, Observed, Origin]) -> dict[str, str]:
        """Return the status as a label."""
        return {"replay": compare(ctx.expected_output, ctx.output)}


def compare(expected: Observed | None, seen: Observed) -> str:
    """Return PRESENT (fails as kept), CHANGED (fails otherwise), GONE (passes), SKIPPED or HARNESS_ERROR."""
    if not seen.status.judged:
        return seen.status.value
    if not seen.status.failed:
        return "GONE"
    if expected is not None and seen.status is expected.status and seen.symptom == expected.symptom:
        return "PRESENT"
    return "CHANGED"


def read_corpus(path: Path) -> Corpus:
    """Read a corpus file; raise CorpusError in one line for one that is unreadable or malformed."""
    try:
        data: Any = parse_yaml(read_text(path, CORPUS), CORPUS)
    except Unreadable as error:
        raise CorpusError(f"corpus {path} {error}") from error
    if not isinstance(data, dict):
        raise CorpusError(f"corpus {path} is malformed: a mapping with `name` and `cases` is expected")
    if named := _evaluators(cast(dict[str, Any], data)):
        raise CorpusError(f"corpus {path} is malformed: it names {named}, and a corpus is data only")
    try:
        return Corpus.from_dict(cast(dict[str, Any], data))
    except ValidationError as error:
        raise CorpusError(f"corpus {path} is malformed: {misfit(error)}") from error
    except ValueError as error:
        raise CorpusError(f"corpus {path} is malformed: {in_one_line(error)}") from error


def known_failures(corpus: Corpus) -> Iterator[tuple[FailureSignature, Cause | None]]:
    """Return the signatures (`Finding.signature`) that a corpus holds, each with its cause where the entry says it."""
    for case in corpus.cases:
        signature = signature_of(corpus.name, case.inputs, case.expected_output)
        if signature is not None:
            yield signature, cause_of_entry(corpus.name, case)


def cause_of_entry(operator: str | None, entry: Entry) -> Cause | None:
    """Return what a kept finding is due to, by today's rules; None where the entry does not say how it failed."""
    kept, seen = entry.inputs, entry.expected_output
    if operator is None or seen is None or seen.verdict is None or not seen.verdict.failed:
        return None
    return cause_of(_finding(operator, kept, seen.verdict))


def signature_of(operator: str | None, kept: Kept, seen: Observed | None) -> FailureSignature | None:
    """Return the signature of a kept finding; None where it says of no failure."""
    if operator is None or seen is None or seen.symptom is None:
        return None
    return FailureSignature(
        operator=operator,
        implementation=kept.implementation,
        identity=kept.identity or Identity(),
        about=kept.about,
        symptom=seen.symptom,
    )


def identify(corpus: Corpus, identities: Mapping[str, Identity]) -> Corpus:
    """Fill in what each entry's implementation is, where the entry does not say and the mapping does; return it."""
    for case in corpus.cases:
        if case.inputs.identity is None:
            case.inputs.identity = identities.get(case.inputs.implementation)
    return corpus


def keep(findings: Iterable[Finding], path: Path, note: str = "", taken: Collection[str] = ()) -> list[str]:
    """Add findings to a corpus file, made where it is missing, and return their entries' names; known ones stay.

    The file is read once and written once, however many there are; a new entry has no name that is `taken`. Raises
    CorpusError where it cannot be read, or is of another operator.
    """
    found = list(findings)
    if not found:
        return []
    corpus = read_corpus(path) if path.exists() else Corpus(name=found[0].operator, cases=[])
    for finding in found:
        if corpus.name != finding.operator:
            raise CorpusError(f"corpus {path} is of {corpus.name}, not of {finding.operator}")
    names = [_entry_of(finding, corpus, note, taken) for finding in found]
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".part")
    corpus.to_file(written, fmt="yaml", schema_path=None)
    written.replace(path)  # a run that is killed meanwhile loses no finding that was kept before
    return names


def corpus_of(operator: str, findings: Iterable[Finding]) -> Corpus:
    """Return findings of an operator as a corpus, in their order; a signature that is there twice has one entry."""
    corpus = Corpus(name=operator, cases=[])
    for finding in findings:
        _entry_of(finding, corpus, "", ())
    return corpus


def _entry_of(finding: Finding, corpus: Corpus, note: str, others: Collection[str]) -> str:
    """Return the name of a finding's entry, which is added where there is none."""
    for case in corpus.cases:
        if _holds(case.inputs, case.expected_output, finding):
            return str(case.name)
    about = finding.about or (finding.operator,)
    parts = (*about, finding.implementation, finding.device, finding.verdict.status.value.lower())
    stem = "-".join(parts)
    taken = {case.name for case in corpus.cases} | set(others)
    name = next(name for index in range(1, len(taken) + 2) if (name := f"{stem}-{index}") not in taken)
    kept = Kept(
        implementation=finding.implementation,
        device=finding.device,
        workload=finding.workload,
        about=finding.about,
        identity=None if finding.identity == Identity() else finding.identity,
    )
    corpus.cases.append(
        Case(
            name=name,
            inputs=kept,
            expected_output=_observed(finding),
            metadata=Origin(seed=finding.seed, note=note),
        )
    )
    return name


def observe(operator: str, kept: Kept, outcome: Outcome, expected: Observed | None) -> Observed:
    """Return what an outcome shows: a failure, a harness error, SKIPPED where none was judged, or PASSED.

    Of several failures it is the one that is expected, if that is among them: a call that fails in another way before
    it does not hide it. Else it is the first.
    """
    failed = [_observed(_finding(operator, kept, verdict)) for verdict in failures(outcome)]
    if not failed:
        unjudged = [found for found in (*outcome.verdicts, outcome.workload) if not found.status.judged]
        broken = next((found for found in unjudged if found.status is Status.HARNESS_ERROR), None)
        if broken is not None:
            return Observed(status=broken.status, reason=broken.reason)
        if unjudged and not any(found.status.judged for found in outcome.verdicts):
            return Observed(status=Status.SKIPPED, reason=unjudged[0].reason)
        return Observed(status=Status.PASSED)
    return next((seen for seen in failed if compare(expected, seen) == "PRESENT"), failed[0])


def _finding(operator: str, kept: Kept, verdict: Verdict) -> Finding:
    return Finding(
        operator=operator,
        implementation=kept.implementation,
        device=kept.device,
        verdict=verdict,
        workload=kept.workload,
        about=kept.about,
        identity=kept.identity or Identity(),
    )


def _holds(kept: Kept, seen: Observed | None, finding: Finding) -> bool:
    """Whether an entry is of a finding's signature, whatever it says of what the implementation is."""
    same = (kept.implementation, kept.about) == (finding.implementation, finding.about)
    return same and seen is not None and seen.symptom == finding.signature.symptom


def _observed(finding: Finding) -> Observed:
    verdict = finding.verdict
    return Observed(
        status=verdict.status,
        symptom=finding.signature.symptom,
        verdict=verdict.model_copy(update={"numbers": {}, "allowed": None}),
        reason=verdict.reason,
        numbers=_finite(verdict.numbers),
    )


def replay(corpus: Corpus, run: Callable[[Kept], Outcome | str], *, slots: int = 1) -> list[Replay]:
    """Run every kept finding again, `slots` at a time and each in a thread, and say how each behaved.

    `run` returns the outcome, or the reason why an entry cannot run here (SKIPPED); what it raises is a harness error.
    """
    return asyncio.run(_replay(corpus, run, slots))


async def _replay(corpus: Corpus, run: Callable[[Kept], Outcome | str], slots: int) -> list[Replay]:
    async def task(kept: Kept) -> Observed:
        expected = next(case.expected_output for case in corpus.cases if case.inputs is kept)
        try:
            outcome = await asyncio.to_thread(run, kept)
        except Exception as error:  # noqa: BLE001 - a raising case would vanish from the report: its status says so instead
            return Observed(status=Status.HARNESS_ERROR, reason=f"replaying raised {in_one_line(error)}")
        return (
            Observed(status=Status.SKIPPED, reason=outcome)
            if isinstance(outcome, str)
            else observe(corpus.name, kept, outcome, expected)
        )

    judged = Corpus(name=corpus.name, cases=corpus.cases, evaluators=[SameFailure()])
    report = await judged.evaluate(task, max_concurrency=slots, progress=False)
    return [
        Replay(
            operator=corpus.name,
            implementation=row.inputs.implementation,
            device=row.inputs.device,
            name=row.name,
            status=str(row.labels["replay"].value),
            reason=row.output.reason,
        )
        for row in report.cases
    ]


def _evaluators(data: dict[str, Any]) -> str:
    keys = {key for key in ("evaluators", "report_evaluators") if data.get(key)}
    cases: Any = data.get("cases")
    for case in cast(list[Any], cases) if isinstance(cases, list) else []:
        if isinstance(case, dict) and cast(dict[str, Any], case).get("evaluators"):
            keys.add("evaluators")
    return ", ".join(sorted(keys))


def _finite(numbers: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in numbers.items() if math.isfinite(value)}
