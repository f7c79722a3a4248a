"""`eagerdiff merge`: one report of many, of parts of a campaign and of machines that had a night each."""

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from eagerdiff.harness.results.results import Results

SCRIPTS = "findings"
_MOST_NAME = 60


def merge(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT…", help="Folders of reports of `nightly`.")],
    out: Annotated[Path, typer.Option(help="Folder of the report that is made of them.")] = Path("report"),
) -> None:
    """Make one report of many: of the parts of a campaign (`nightly --shard`), or of several machines' nights.

    Reports of one torch, triton and GPU are added up: one bug that several met is one finding, with its script. Where
    there are several kinds, each has a report of its own, and one page has them side by side. Exit code: as of a night
    that found it all.
    """
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.ending import exit_code
    from eagerdiff.harness.cli.failure import in_writing
    from eagerdiff.harness.cli.folder import occupied, set_aside
    from eagerdiff.harness.cli.options import writable_folder
    from eagerdiff.harness.cli.written import read_results
    from eagerdiff.harness.report import words
    from eagerdiff.harness.results.merging import kind_of

    folders = _named(reports)
    found = {name: read_results(folder) for name, folder in folders.items()}
    kinds: dict[tuple[str, ...], dict[str, Results]] = {}
    for name, results in found.items():
        kinds.setdefault(kind_of(results), {})[name] = results
    target, terminal = writable_folder(out), console()
    if inside := [folder for folder in reports if folder.resolve() == target.resolve()]:
        raise BadInput(f"{inside[0]} is one of the reports: name another folder with --out")
    with occupied(target), in_writing(target):
        if kept := set_aside(target):
            terminal.print(f"the report before is kept in {kept}", soft_wrap=True)
        several = len(kinds) > 1
        done = _side_by_side(kinds, folders, target) if several else {"": _written(found, folders, target)}
        codes = {name: exit_code(results) for name, results in done.items()}
        if several:
            _write_sides(done, codes, target)
    for name, results in done.items():
        terminal.print(f"{name}: {words.headline(results)}" if name else words.headline(results), markup=False)
    terminal.print(f"report: {target / 'index.html'}", soft_wrap=True)
    raise typer.Exit(max(codes.values()))


def _named(reports: Sequence[Path]) -> dict[str, Path]:
    """Name each report by its folder, from its end on as far as it takes to tell them apart."""
    real = [folder.resolve() for folder in reports]
    if twice := next((str(folder) for at, folder in enumerate(real) if folder in real[:at]), ""):
        raise BadInput(f"{twice} is named twice")
    for length in range(1, max(len(folder.parts) for folder in real) + 1):
        names = [_plain("-".join(folder.parts[-length:])) for folder in real]
        if len(set(names)) == len(names):
            return dict(zip(names, reports, strict=True))
    return {f"{number}-{_plain(path.name)}": path for number, path in enumerate(reports, 1)}


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-.")[-_MOST_NAME:] or "report"


def _written(found: "Mapping[str, Results]", folders: Mapping[str, Path], target: Path) -> "Results":
    """Write the report of several of one kind, with the scripts of its findings; return its results."""
    from eagerdiff.harness.report import write
    from eagerdiff.harness.results.merging import merged

    results = merged(found)
    for finding in results.findings:
        if not finding.script:
            continue
        name, _, script = finding.script.partition("/")
        told = _script(folders[name], script, target / SCRIPTS / name)
        finding.script = f"{SCRIPTS}/{name}/{told}" if told else ""
        finding.script_note = finding.script_note if told else "its script is not in the report's folder"
    write(results, target)
    return results


def _script(folder: Path, script: str, to: Path) -> str:
    """Copy a script that lies in a report's folder; return its name, empty where there is none that lies there."""
    path = (folder / script).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.is_file():
        return ""
    to.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to / path.name)
    return path.name


def _side_by_side(
    kinds: "Mapping[tuple[str, ...], Mapping[str, Results]]", folders: Mapping[str, Path], target: Path
) -> "dict[str, Results]":
    """Write a report of each kind, in a folder of its own; return their results by name."""
    named = {_title(kind, kinds): found for kind, found in kinds.items()}
    return {name: _written(found, folders, target / _plain(name)) for name, found in named.items()}


def _write_sides(done: "Mapping[str, Results]", codes: Mapping[str, int], target: Path) -> None:
    """Write the page that has them side by side."""
    from eagerdiff.harness.cli.side_by_side import crossed
    from eagerdiff.harness.report import write_sides
    from eagerdiff.harness.results.sides import Side, Sides

    sides = Sides(sides=[Side(name=name, folder=_plain(name), code=code) for name, code in codes.items()])
    sides.crossed = crossed(sides, done)
    write_sides(sides, done, target)


def _title(kind: tuple[str, ...], kinds: "Mapping[tuple[str, ...], object]") -> str:
    """Name a kind by what tells it from the others: torch always, triton and GPU where they differ."""
    torch, triton, gpu = kind
    alike = [other for other in kinds if other[0] == torch]
    parts = [f"torch {torch}"]
    if len({other[1] for other in alike}) > 1:
        parts.append(f"triton {triton}")
    if len({other[2] for other in alike}) > 1:
        parts.append("no GPU" if gpu in ("", "none") else gpu)
    return ", ".join(parts)
