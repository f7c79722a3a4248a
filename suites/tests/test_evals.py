"""The corpus: kept findings are data, and replaying them says how each behaves now."""

from pathlib import Path

import pytest

from eagerdiff.harness.catalog import catalog
from eagerdiff.harness.corpus.evals import CorpusError, Kept, keep, known_failures, read_corpus, replay
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, harness_error, passed, skipped
from eagerdiff.harness.triage.cause import cause_of
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.known import Known
from eagerdiff.suites.tests.kept_corpora import kept_corpora


def finding(reason: str = "differs by 3", implementation: str = "eager") -> Finding:
    numbers = {"rmse": 0.5, "worst": float("nan")}
    verdict = Verdict(status=Status.WRONG_VALUE, reason=reason, oracle=Oracle.RMSE, output="[0]", numbers=numbers)
    return Finding(
        operator="doubling",
        implementation=implementation,
        device="cpu",
        verdict=verdict,
        workload=[{"rows": 3}],
        seed=7,
    )


def outcome(verdict: Verdict) -> Outcome:
    return Outcome(verdicts=[verdict])


def test_a_kept_finding_reads_back_without_its_non_finite_numbers(tmp_path: Path) -> None:
    path = tmp_path / "doubling.yaml"
    (name,) = keep([finding()], path, note="issue 1")
    (entry,) = read_corpus(path).cases
    assert entry.name == name == "doubling-eager-cpu-wrong_value-1"  # by its operator where it is of nothing else
    assert entry.inputs == Kept(implementation="eager", device="cpu", workload=[{"rows": 3}])
    assert entry.expected_output is not None
    assert entry.expected_output.numbers == {"rmse": 0.5}
    assert entry.metadata is not None
    assert entry.metadata.seed == 7


def test_one_bug_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "doubling.yaml"
    names = keep([finding("differs by 3"), finding("differs by 4")], path) + keep([finding("is late")], path)
    assert names[0] == names[1] != names[2]
    kept = Known.of(known_failures(read_corpus(path)))
    assert kept.failures == {finding("differs by 9").signature, finding("is late").signature}
    assert set(kept.causes) == {cause_of(finding("differs by 9")), cause_of(finding("is late"))}


def test_an_entry_whose_verdict_is_no_failure_has_no_cause(tmp_path: Path) -> None:
    """Someone may have edited it: its symptom still says how it failed."""
    path = tmp_path / "doubling.yaml"
    keep([finding()], path)
    path.write_text(
        path.read_text().replace("WRONG_VALUE\n      reason: differs by 3", "PASSED\n      reason: differs by 3")
    )
    ((_, cause),) = known_failures(read_corpus(path))
    assert cause is None


def test_a_finding_of_another_operator_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "doubling.yaml"
    keep([finding()], path)
    with pytest.raises(CorpusError, match="not of moe"):
        keep([finding().model_copy(update={"operator": "moe"})], path)


@pytest.mark.parametrize(
    ("seen", "status"),
    [
        (outcome(finding("differs by 8").verdict), "PRESENT"),
        (outcome(Verdict(status=Status.CRASHED, reason="signal 11")), "CHANGED"),
        (outcome(finding("is late").verdict), "CHANGED"),
        (Outcome(verdicts=[finding("is late").verdict, finding("differs by 8").verdict]), "PRESENT"),
        (outcome(passed()), "GONE"),
        (outcome(skipped("float8 only")), "SKIPPED"),
        (outcome(harness_error("supports raised KeyError")), "HARNESS_ERROR"),
        (Outcome(verdicts=[], workload=harness_error("no worker on cpu", Oracle.PROCESS)), "HARNESS_ERROR"),
        (Outcome(verdicts=[], workload=skipped("stopped")), "SKIPPED"),
        ("no such implementation", "SKIPPED"),
        (Outcome(verdicts=[passed()], workload=Verdict(status=Status.OVER_BUDGET, reason="9 compiles")), "CHANGED"),
    ],
)
def test_replay_says_how_an_entry_behaves_now(seen: Outcome | str, status: str, tmp_path: Path) -> None:
    path = tmp_path / "doubling.yaml"
    (name,) = keep([finding()], path)
    (row,) = replay(read_corpus(path), lambda kept: seen)
    assert (row.operator, row.implementation, row.device, row.name) == ("doubling", "eager", "cpu", name)
    assert row.status == status


def test_an_entry_that_cannot_run_does_not_vanish(tmp_path: Path) -> None:
    path = tmp_path / "doubling.yaml"
    keep([finding(), finding(implementation="other")], path)

    def run(kept: Kept) -> Outcome:
        if kept.implementation == "eager":
            raise RuntimeError("the worker\nis gone")
        return outcome(passed())

    rows = replay(read_corpus(path), run)
    assert [(row.implementation, row.status) for row in rows] == [("eager", "HARNESS_ERROR"), ("other", "GONE")]
    assert rows[0].reason == "replaying raised RuntimeError: the worker is gone"


@pytest.mark.parametrize(
    "text",
    [
        "cases: [",
        "- 1",
        "name: doubling",
        "name: doubling\ncases: [{inputs: {implementation: a}}]",
        "name: doubling\ncases: []\nevaluators: [LLMJudge]",
        "name: doubling\ncases: [{inputs: {implementation: a, device: cpu, workload: [{}]}, evaluators: [LLMJudge]}]",
        "name: doubling\ncases: [{inputs: {implementation: a, device: cpu, workload: []}}]",
        "!!python/object/apply:os.getcwd []",
        "\x00",
    ],
)
def test_a_malformed_corpus_is_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "doubling.yaml"
    path.write_text(text)
    with pytest.raises(CorpusError, match=r"^corpus [^\n]+$"):
        read_corpus(path)


def test_a_missing_corpus_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        read_corpus(tmp_path / "none.yaml")


def test_every_shipped_corpus_reads() -> None:
    operators = catalog.load().operators.values()
    there = {one.name for one in operators if one.extras.corpus is not None and one.extras.corpus.exists()}
    assert {corpus.name for corpus in kept_corpora()} == there
    for corpus in kept_corpora():
        assert all(case.name and case.expected_output for case in corpus.cases)
