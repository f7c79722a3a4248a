"""Turns: which kept findings run again first, and that none waits for ever."""

from pathlib import Path

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.corpus.evals import Corpus, Entry, Kept, Observed, cause_of_entry
from eagerdiff.harness.corpus.replaying import Replayer
from eagerdiff.harness.corpus.turns import NEWEST, LastTurn, Turns
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.processes import WorkerPool
from eagerdiff.harness.triage.note import Kind, Note

NIGHT = 20_000


def corpus_of(*names: str) -> Corpus:
    kept = Kept(implementation="none", device="cpu", workload=[{}])
    return Corpus(name="toys", cases=[Entry(name=name, inputs=kept) for name in names])


def failing(what: str, number: int) -> Entry:
    """Return an entry of the cause `what`."""
    verdict = Verdict(status=Status.RAISED, reason=f"ValueError: {what}", exceptions=("ValueError",), origin=what)
    kept = Kept(implementation="none", device="cpu", workload=[{}])
    return Entry(name=f"{what}-{number}", inputs=kept, expected_output=Observed(status=verdict.status, verdict=verdict))


MANY = corpus_of(*(f"entry-{number}" for number in range(20)))


def names(turns: Turns, corpus: Corpus = MANY, day: int = NIGHT) -> list[str]:
    return [str(entry.name) for _, entry in turns.order([corpus], day)]


def test_the_newest_come_first_and_nothing_is_left_out(tmp_path: Path) -> None:
    ordered = names(Turns(tmp_path / "turns.json"))
    assert set(ordered[: 2 * NEWEST : 2]) == {f"entry-{number}" for number in range(20 - NEWEST, 20)}
    assert sorted(ordered) == sorted(str(entry.name) for entry in MANY.cases)


def test_of_the_newest_the_cheapest_come_first(tmp_path: Path) -> None:
    seconds = {"entry-16": 9.0, "entry-17": 1.0, "entry-18": 5.0, "entry-19": 3.0}
    last = {f"toys/{name}": LastTurn(when="2026-01-01", seconds=took) for name, took in seconds.items()}
    assert names(Turns(tmp_path / "turns.json", last))[:8:2] == ["entry-17", "entry-19", "entry-18", "entry-16"]


def test_without_a_memory_the_rest_is_another_one_each_day(tmp_path: Path) -> None:
    turns = Turns(tmp_path / "turns.json")
    first = {names(turns, day=NIGHT + night)[1] for night in range(40)}
    assert len(first) > 8
    assert names(turns, day=NIGHT) == names(turns, day=NIGHT)


def test_with_a_memory_every_entry_has_its_turn(tmp_path: Path) -> None:
    path = tmp_path / "turns.json"
    met: set[str] = set()
    for night in range(6):  # of 16 that are not new, three have a turn each night
        turns = Turns.read(path)
        for corpus, entry in turns.order([MANY], NIGHT + night)[: 2 * NEWEST - 1]:
            turns.last[f"{corpus.name}/{entry.name}"] = LastTurn(when=f"2026-01-{night:02}", seconds=1.0)
            met.add(str(entry.name))
        turns.write()
    assert len(met) == len(MANY.cases)


def test_one_entry_of_each_cause_has_its_turn_before_a_second_of_any(tmp_path: Path) -> None:
    """A cause that fills the corpus does not fill the nights: 40 entries of one, one each of five others."""
    corpus = Corpus(name="toys", cases=[failing("many", number) for number in range(40)])
    corpus.cases += [failing(f"rare {number}", 0) for number in range(5)]
    corpus.cases += [failing("new", number) for number in range(NEWEST)]
    turns = Turns(tmp_path / "turns.json")
    seen: list[str] = []
    for night in range(3):
        tonight = [entry for _, entry in turns.order([corpus], NIGHT + night)[1::2]][:3]
        for entry in tonight:
            turns.last[f"toys/{entry.name}"] = LastTurn(when=f"2026-01-{night:02}", seconds=1.0)
        seen += [str(entry.name).rpartition("-")[0] for entry in tonight]
    assert set(seen[:6]) == {"many", *(f"rare {number}" for number in range(5))}


def test_causes_that_a_note_joins_are_one(tmp_path: Path) -> None:
    corpus = Corpus(name="toys", cases=[failing(f"form {number}", 0) for number in range(30)])
    corpus.cases += [failing("rare", 0), *(failing("new", number) for number in range(NEWEST))]
    causes = tuple(cause for entry in corpus.cases[:30] if (cause := cause_of_entry("toys", entry)))
    note = Note(name="forms", kind=Kind.DEFECT, says="Each form fails.", causes=causes)
    ordered = Turns(tmp_path / "turns.json").order([corpus], NIGHT, [note])
    assert "rare-0" in {str(entry.name) for _, entry in ordered[1:4:2]}


def test_a_damaged_memory_is_none(tmp_path: Path) -> None:
    path = tmp_path / "turns.json"
    path.write_text('{"toys/entry-1": ')
    assert Turns.read(path).last == {}


def test_what_there_is_no_time_for_waits_and_is_said(tmp_path: Path) -> None:
    turns = Turns(tmp_path / "turns.json")
    asked = iter([True, False, False])
    with WorkerPool() as worker_pool:
        replayer = Replayer(Catalog(), worker_pool, going=lambda: next(asked))
        rows = replayer.replay_in_turn(turns.order([corpus_of("a", "b", "c")], NIGHT), turns)
    assert sorted(row.status for row in rows) == ["SKIPPED", "WAITING", "WAITING"]
    assert all(row.reason for row in rows)
    assert len(turns.last) == 1


def test_entries_of_one_name_in_two_corpora_of_an_operator_are_both_run(tmp_path: Path) -> None:
    """A release may ship what a project keeps by the same name."""
    shipped, own = corpus_of("a", "b"), corpus_of("a")
    own.cases[0].inputs.workload = [{"batch": 1}]
    turns = Turns(tmp_path / "turns.json")
    with WorkerPool() as worker_pool:
        rows = Replayer(Catalog(), worker_pool).replay_in_turn(turns.order([shipped, own], NIGHT), turns)
    assert sorted(row.name for row in rows) == ["a", "a", "b"]
