"""The pages: every link and every cited page is there, and the drawing shows what is imported."""

import functools
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from eagerdiff.harness.corpus.notes import FILE, read_notes

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("harness", "strategies", "reference", "compiled", "suites", "eagerdiff", "examples", "docs", ".github")
WRITTEN = {"summary.md", "face.md", "table.md", "issue.md"}
"""Pages that a command writes, and that code may name."""
CODE = re.compile(r"```.*?```", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)]+)\)")
CITE = re.compile(r"(?<![\w/.:-])((?:[\w-]+/)*[\w-]+\.md)(#[\w-]+)?")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

pytestmark = pytest.mark.skipif(
    not (ROOT / "docs").is_dir(), reason="the pages lie in the repository, not in the wheel"
)


TEST = re.compile(r"^def (test_\w+)", re.MULTILINE)


def pages() -> list[Path]:
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def sources() -> Iterator[Path]:
    """Return every file that a person reads: code, pages, settings."""
    yield from (
        path for path in ROOT.iterdir() if path.suffix in (".md", ".toml", ".py", ".yml") or path.name == "Makefile"
    )
    for folder in FOLDERS:
        kept = (path for path in (ROOT / folder).rglob("*") if "scripts" not in path.parts)
        yield from (path for path in kept if path.suffix in (".py", ".md", ".j2", ".yml", ".toml"))


def anchors(page: Path) -> set[str]:
    """Return the names that headings have as targets of links."""
    headings = HEADING.findall(CODE.sub("", page.read_text()))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(base: Path, target: str) -> str:
    """Return what is wrong with a link or a cite from a folder; empty where it leads somewhere."""
    path, _, anchor = target.partition("#")
    page = (base / path).resolve()
    if not page.exists():
        return f"{target}: no such file"
    return "" if not anchor or anchor in anchors(page) else f"{target}: no such heading"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    found = LINK.findall(CODE.sub("", page.read_text()))
    targets = [target for target in found if not target.startswith(("http:", "https:", "mailto:"))]
    wrong = [broken(page.parent, target if target[0] != "#" else f"{page.name}{target}") for target in targets]
    assert list(filter(None, wrong)) == []


def test_every_cited_page_is_in_the_repository() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {page}{anchor}"
        for path in sources()
        if path.name != Path(__file__).name
        for page, anchor in CITE.findall(path.read_text())
        if Path(page).name not in WRITTEN
        if all(broken(base, page + anchor) for base in (ROOT, ROOT / "docs", path.parent))
    ]
    assert wrong == []


def test_a_link_to_nowhere_and_a_heading_that_is_not_there_are_told() -> None:
    assert broken(ROOT, "docs/nowhere.md") == "docs/nowhere.md: no such file"
    assert broken(ROOT, "docs/judge.md#nothing-of-the-kind") == "docs/judge.md#nothing-of-the-kind: no such heading"
    assert broken(ROOT, "docs/judge.md#a-second-look") == ""
    assert CITE.findall("see shared/DESIGN.md and (`docs/judge.md#a-second-look`)")[0] == ("shared/DESIGN.md", "")


def test_nothing_cites_the_page_that_was_never_in_the_repository() -> None:
    mark = "DESIGN" + " §"
    assert [str(path) for path in sources() if mark in path.read_text()] == []


@functools.cache
def program_of(name: str) -> ModuleType:
    """Import a program that lies beside the pages."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


def test_the_table_of_causes_is_what_is_kept() -> None:
    causes = program_of("causes")
    assert causes.PAGE.read_text() == causes.page(), "run python docs/causes.py"


def test_the_table_of_causes_has_a_row_for_each_note() -> None:
    """Causes are told there as a campaign tells them: with what is known of each way of compiling."""
    causes = program_of("causes")
    said = [note.name for _, note, _ in causes.groups() if note]
    kept = read_notes(causes.CORPUS / FILE)
    assert sorted(said) == sorted(note.name for note in kept)


def test_every_kit_on_record_is_of_a_script_as_it_is_and_says_why_it_shows_nothing() -> None:
    kits: Any = program_of("kits")
    scripts, lines = kits.kept(), kits.read()
    assert lines
    assert set(lines) & {kits.kept_as(path) for path in kits.missing(scripts, lines)} == set()
    assert [place for place, line in lines.items() if line.here.value != "present" and not line.why] == []
    excused = {place: line.why.partition("it is of torch ")[2] for place, line in lines.items()}
    assert [place for place, named in excused.items() if named and lines[place].torch.startswith(named)] == []
    told = kits.PLACE.search(kits.PAGE.read_text())[0]
    assert f"{len(lines)} of {len(scripts)} kept scripts have a kit" in told


def test_the_drawing_of_the_rooms_is_what_is_imported() -> None:
    rooms = program_of("rooms")
    picture, page = rooms.drawn()
    assert rooms.PICTURE.read_text() == picture, "run python docs/rooms.py"
    assert rooms.PAGE.read_text() == page, "run python docs/rooms.py"
    named = {name for layer in rooms.layers(rooms.ROOMS) for name in layer}
    assert all(f">{name}</text>" in picture for name in named)


def test_every_test_that_the_page_of_promises_names_is_there() -> None:
    there = {name for path in (ROOT / "suites" / "tests").rglob("test_*.py") for name in TEST.findall(path.read_text())}
    named = re.findall(r"`(test_\w+)`", (ROOT / "docs" / "reliability.md").read_text())
    assert len(named) > 20
    assert set(named) <= there
