"""Sinks: the same hostile texts through each of them; what comes out is valid, says the text, and does nothing else."""

import ast
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from eagerdiff.harness.cli.failure import complain, save_traceback
from eagerdiff.harness.cli.plain_console import PlainConsole
from eagerdiff.harness.cli.summary import print_summary
from eagerdiff.harness.model.metric import Metric
from eagerdiff.harness.model.outcome import CompileRecord, Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.report import junit, page, summary, write
from eagerdiff.harness.repro import Form, file_name, render
from eagerdiff.harness.results.results import OperatorMetrics, Replay, Results, Row, SameCause
from eagerdiff.harness.sinks import html, markdown, python_source, terminal, xml
from eagerdiff.harness.sinks.file_name import module_stem, stem
from eagerdiff.harness.sinks.visible import encodable, visible
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.hostile import ACTING, HOSTILE
from eagerdiff.suites.tests.test_repro import OPERATOR, implementation

TAGS = {"p", "code", "h1", "h2", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
"""What a summary consists of: no image, no link."""


def whole(text: str) -> str:
    """Return a text that JSON can hold, as a report has it."""
    return str(encodable(text))


def found(text: str) -> Finding:
    verdict = Verdict(
        status=Status.RAISED,
        reason=text,
        oracle=Oracle.RAISE,
        frame=text,
        output=text,
        relation=text,
        exceptions=(text,),
        got=text,
        expected=text,
        numbers={text: 1.0},
    )
    text = whole(text)
    return Finding(
        operator=text,
        implementation=text,
        device=text,
        verdict=verdict,
        workload=[{text: text}],
        source=text,
        script=text,
        script_note=text,
    )


def campaign(text: str) -> Results:
    """Return a campaign in which everything that others write is one text."""
    finding = found(text)
    text = whole(text)
    cause = SameCause(operator=text, implementation=text, device=text, what=text, new=True, failures=2)
    row = Row(operator=text, implementation=text, device=text, mode=text, cases=3, workloads=2, compiles=2, failures=2)
    more = {
        "same_cause": [cause],
        "skip_reasons": {text: 1},
        "recompile_reasons": {text: 2},
        "compile_changes": {text: 1},
        "compiles_per_workload": {1: 1, 2: 1},
        "launches_a_call": {text: 1},
        "harness_errors": {text: 1},
    }
    idle = Row(operator=text, implementation="idle", device=text, problem=text, can_run=False)
    metric = Metric(what=text, by=text, value=1.0, unit=text, published=text, of=text)
    return Results(
        rows=[row.model_copy(update=more), idle, Row(operator=text, implementation="never", device=text)],
        findings=[finding, finding.model_copy(update={"script": "", "new": False})],
        replays=[Replay(operator=text, implementation=text, device=text, name=text, status="CHANGED", reason=text)],
        metrics=[OperatorMetrics(operator=text, metrics=[metric])],
        environment={"python": text, "gpu": text},
        problems=[text],
    )


@pytest.fixture(params=HOSTILE)
def text(request: pytest.FixtureRequest) -> str:
    return HOSTILE[request.param]


def test_a_terminal_shows_a_text_and_does_nothing_else(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert not ACTING.search(terminal.lines(text))
    assert terminal.lines(terminal.lines(text)) == terminal.lines(text)
    assert "\n" not in terminal.line(text)
    out = io.StringIO()
    console = PlainConsole(file=out, width=200, highlight=False, markup=False, emoji=False)
    console.print(text, soft_wrap=True)
    print_summary(console, campaign(text))
    complain(text)
    shown = out.getvalue() + capsys.readouterr().err
    assert not ACTING.search(shown)
    assert ":smiley:" in shown or ":smiley:" not in text


def test_a_summary_is_tables_and_lists_of_words(text: str) -> None:
    rendered = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(summary(campaign(text)))
    assert not ACTING.search(rendered)
    assert set(re.findall(r"<([a-z0-9]+)", rendered)) <= TAGS
    assert not re.search(r"<(?:a|img|script)\b|onerror=(?!&)", rendered)
    for table in re.findall(r"<table>.*?</table>", rendered, re.DOTALL):
        widths = {row.count("<td") + row.count("<th") for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)}
        assert len(widths) == 1
    spans = re.sub(r"<code>.*?</code>", "", rendered)
    assert "evil.example" not in spans  # in no code span it would become a link, or a person would be told
    assert "@everyone" not in spans


def test_a_text_in_a_cell_says_what_it_said(text: str) -> None:
    """Rendered, it is the text again, but for blanks and what a bar needs."""
    shown = MarkdownIt("gfm-like", {"linkify": False}).render(f"| a |\n|---|\n| {markdown.text(text)} |\n")
    cell = re.search(r"<td>(.*)</td>", shown)
    assert cell is not None
    said = re.sub(r"<code>(.*)</code>", r"\1", cell[1])
    for name, letter in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("amp", "&")):
        said = said.replace(f"&{name};", letter)
    wanted = visible(" ".join(text.split()))[:200]
    assert re.sub(r"\s", "", said) == re.sub(r"\s", "", wanted)


def test_junit_is_xml_whatever_is_said(text: str) -> None:
    root = ElementTree.fromstring(junit(campaign(text)).encode())
    (suite,) = {suite.get("name"): suite for suite in root}.values()
    assert (suite.get("failures"), suite.get("tests")) == ("1", "3")
    assert not any(ACTING.search(value) for node in root.iter() for value in (*node.attrib.values(), node.text or ""))
    assert ElementTree.fromstring(f"<a>{xml.text('x')}</a>").text == "x"


class Page(HTMLParser):
    """Collect what a page consists of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}


def test_the_page_has_no_tag_attribute_or_address_of_others(text: str) -> None:
    one, other = Page(), Page()
    shown = page(campaign(text))
    one.feed(shown)
    other.feed(page(campaign("findings/plain.py")))
    assert not ACTING.search(shown)
    assert one.tags <= other.tags
    assert {name for name, _ in one.attributes} <= {name for name, _ in other.attributes}
    ids = {f"#{value}" for name, value in one.attributes if name == "id"}
    assert all(value in ids or re.fullmatch(r"[\w./-]+", value) for name, value in one.attributes if name == "href")
    assert ("http-equiv", "Content-Security-Policy") in one.attributes


@pytest.mark.parametrize(
    "path", ["javascript:alert(1)", "//evil.example/x", "/etc/passwd", "../x", "a/../b", "a b", "x\n", ""]
)
def test_a_page_links_to_files_beside_it_alone(path: str) -> None:
    assert html.link(path) == ""
    assert html.link("findings/moe-1.py") == "findings/moe-1.py"


def test_a_report_is_written_and_read_back(text: str, tmp_path: Path) -> None:
    write(campaign(text), tmp_path)
    data = json.loads((tmp_path / "report.json").read_bytes())
    assert Results.model_validate(data).findings[0].verdict == found(text).verdict


def test_a_comment_is_a_comment(text: str) -> None:
    for source in (
        f"# {python_source.comment(text)}\nx = 1\n",
        f"#!/usr/bin/python\n# {python_source.comment(text)}\nx = 1\n",
    ):
        tree = ast.parse(source.encode())  # bytes: so that a declared encoding counts
        assert [type(node) for node in tree.body] == [ast.Assign]


def script_of(text: str) -> bytes:
    finding = found(text).model_copy(update={"workload": [{"n": 3}], "device": "cpu"})
    return render(finding, OPERATOR, implementation("implementation = reference"), Form()).encode()


def test_a_script_is_python_whatever_the_exception_said(text: str) -> None:
    assert ast.dump(ast.parse(script_of(text))) == ast.dump(ast.parse(script_of("plain")))


def test_a_file_name_is_a_name(text: str, tmp_path: Path) -> None:
    name = file_name(found(text))
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}\.py", name)
    (tmp_path / name).write_text("")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert not re.fullmatch(r"(?i)(con|nul|aux|prn)(\..*)?", stem(text))
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}", stem(text))
    assert module_stem(text).isidentifier()


def test_a_traceback_is_saved_whatever_the_exception_is_called(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    kind = type(whole(text).replace("\0", "") or "Error", (Exception,), {})
    saved = Path(save_traceback(kind(text)))
    assert saved.parent == tmp_path / "tracebacks"
    assert not ACTING.search(saved.read_text())


def test_a_verdict_is_the_same_in_another_process(text: str) -> None:
    """A worker that cannot say what it met would be taken for one that died."""
    verdict = found(text).verdict
    records = [CompileRecord(layer="dynamo", frame=text, reason=text, failed=text, details={text: [text]})]
    outcome = Outcome(verdicts=[verdict], compiles=records)
    assert Outcome.model_validate_json(outcome.model_dump_json()) == outcome
    assert verdict.reason == text or any("\ud800" <= letter <= "\udfff" for letter in text)
