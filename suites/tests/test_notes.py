"""Notes on causes: they join, they split, and they say what a maintainer would."""

from pathlib import Path

import pytest

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.corpus.evals import CorpusError, cause_of_entry
from eagerdiff.harness.corpus.notes import FILE, notes, read_notes
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.report.page import page
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.sinks import html
from eagerdiff.harness.triage.cause import cause_of
from eagerdiff.harness.triage.family import families
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.note import Kind, Note, by_cause, note_of
from eagerdiff.suites.tests.kept_corpora import kept_corpora


def found(about: str, reason: str, way: str = "dynamo") -> Finding:
    verdict = Verdict(status=Status.RAISED, reason=reason, origin="torch.fx:guards", exceptions=("RuntimeError",))
    return Finding(operator="torch_api", implementation=way, device="cpu", verdict=verdict, workload=[], about=(about,))


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


def test_a_note_splits_a_cause_by_the_way_that_met_it() -> None:
    """Two defects of one operation are one cause where values alone are wrong: who compiled it tells them apart."""
    triton = found("qr", "list index out of range", "inductor_triton")
    assert len(families([ONE, triton])) == 1
    apart = BOTH.model_copy(update={"name": "of Triton", "ways": ("inductor_triton",)})
    assert [family.note for family in families([ONE, triton], [apart, BOTH])] == [BOTH, apart]
    narrow = apart.model_copy(update={"name": "of qr", "about": ("qr",)})
    assert [family.note for family in families([ONE, triton], [apart, narrow, BOTH])] == [BOTH, narrow]


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
    catalog = load(["torch_api", "programs", "symbolic", "engines"])
    said = notes(catalog)
    telling, met = by_cause(said), set[tuple[str, object]]()
    for corpus in kept_corpora():
        for entry in corpus.cases:
            cause, about, way = (
                cause_of_entry(corpus.name, entry),
                "+".join(entry.inputs.about),
                entry.inputs.implementation,
            )
            if cause and (note := note_of(cause, about, way, telling)):
                met |= {(note.name, cause), (note.name, about), (note.name, way)}
    for note in said:
        for part in (*note.causes, *note.about, *note.ways):
            assert (note.name, part) in met, f"{note.name}: {part}"
