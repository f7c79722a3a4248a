"""Notes on causes: they join, they split, and they say what a maintainer would."""

from pathlib import Path

import pytest

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.corpus.evals import CorpusError, cause_of_entry
from eagerdiff.harness.corpus.notes import FILE, notes, read_notes
from eagerdiff.harness.corpus.replaying import corpora
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.report.page import page
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.sinks import html
from eagerdiff.harness.triage.cause import cause_of
from eagerdiff.harness.triage.family import families
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.note import Kind, Note


def found(about: str, reason: str) -> Finding:
    verdict = Verdict(status=Status.RAISED, reason=reason, origin="torch.fx:guards", exceptions=("RuntimeError",))
    return Finding(
        operator="torch_api", implementation="dynamo", device="cpu", verdict=verdict, workload=[], about=(about,)
    )


ONE, OTHER = found("qr", "list index out of range"), found("qr", "sources must not be empty")
ELSEWHERE = found("trace", "list index out of range")
BOTH = Note(name="no source", kind=Kind.DEFECT, says="It asks.", causes=(cause_of(ONE), cause_of(OTHER)))


def test_a_note_joins_causes() -> None:
    assert len(families([ONE, OTHER])) == 2
    (family,) = families([ONE, OTHER], [BOTH])
    assert (family.findings, family.note, family.cause) == (2, BOTH, cause_of(ONE))


def test_a_note_splits_a_cause() -> None:
    assert len(families([ONE, ELSEWHERE])) == 1
    apart = Note(name="of trace", kind=Kind.LIMIT, says="It says so.", causes=(cause_of(ONE),), about=("trace",))
    assert [family.note for family in families([ONE, ELSEWHERE], [BOTH, apart])] == [BOTH, apart]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("causes: 3", "malformed"),
        ("causes: [{name: a, kind: defect, says: b, causes: []}]", "malformed"),
        ("causes: [{name: a, kind: no such, says: b, causes: [{defect: crash}]}]", "malformed"),
        (
            "causes: [{name: a, kind: defect, says: b, causes: [{defect: crash}]},"
            " {name: b, kind: defect, says: b, causes: [{defect: crash}]}]",
            "'b' and 'a' are about one cause",
        ),
    ],
)
def test_notes_that_are_malformed_or_say_two_things_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / FILE
    path.write_text(text)
    with pytest.raises(CorpusError, match=said):
        read_notes(path)


def test_the_page_says_what_a_maintainer_would() -> None:
    linked = BOTH.model_copy(update={"link": "https://github.com/pytorch/pytorch/issues/1"})
    results = Results(findings=[ONE, OTHER, ELSEWHERE], notes=[linked])
    results.add_up()
    shown = page(results)
    assert "<b>defect</b> It asks." in shown
    assert 'href="https://github.com/pytorch/pytorch/issues/1"' in shown


@pytest.mark.parametrize(
    "address", ["http://a.b/c", "https://a.b/?q=1", "javascript:alert(1)", "https://a@b/c", "//a.b"]
)
def test_a_page_names_plain_pages_of_the_web_alone(address: str) -> None:
    assert html.web_page(address) == ""


def test_our_notes_are_about_what_is_kept() -> None:
    """A rule of causes that changes would leave notes behind."""
    catalog = load(["torch_api", "programs", "symbolic"])
    kept = {
        (cause_of_entry(corpus.name, entry), "+".join(entry.inputs.about))
        for corpus in corpora(catalog)
        for entry in corpus.cases
    }
    for note in notes(catalog):
        for cause in note.causes:
            assert any(note.tells_of(cause, about) for met, about in kept if met == cause), f"{note.name}: {cause}"
        for about in note.about:
            assert any(note.tells_of(met, about) for met, words in kept if met and words == about), (
                f"{note.name}: {about}"
            )
