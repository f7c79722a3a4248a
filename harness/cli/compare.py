"""`eagerdiff compare`: two revisions, two Pythons or two implementations, held against each other."""

import contextlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput, complain, in_writing
from eagerdiff.harness.sinks import markdown as markdowns
from eagerdiff.harness.sinks.terminal import line

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.benchmark.comparing import Comparison, Difference
    from eagerdiff.harness.benchmark.side import Side

_WAY = re.compile(r"[\w-]+/[\w.+-]+")


def compare(
    before: Annotated[str, typer.Argument(help="A git revision, a Python (its path), or operator/implementation.")],
    after: Annotated[str, typer.Argument(help="Another one of the same kind.")],
    subject: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="operator/implementation:workload; may be repeated. Default: the curated set."
        ),
    ] = None,
    operator: Annotated[list[str] | None, typer.Option(help="Only this operator, or module:OPERATOR.")] = None,
    implementation: Annotated[
        list[str] | None, typer.Option(help="More implementations: module:ATTRIBUTE; may be repeated.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where times are taken: cpu or cuda.")] = "cpu",
    counts: Annotated[bool, typer.Option("--counts", help="Compare what is counted alone; nothing is timed.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="File to write all figures to.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="File to write the table to, for a pull request.")] = None,
) -> None:
    """Say what is slower, and by how much; what is counted is compared exactly, what is timed in turns.

    Four processes, two a side, take turns; the limit is what two processes of one side differ by in the same run, 2 %
    at least, and what seems changed is measured once more. Exit code 0: nothing needs more than before; 1: something
    does; 2: it could not run, or a subject could not be measured.
    """
    from eagerdiff.harness.benchmark.comparing import compare as compared
    from eagerdiff.harness.benchmark.side import Measurer, SideError
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.steps import steps

    if device not in ("cpu", "cuda"):
        raise BadInput(f"times are taken on cpu or cuda, not on {device}")
    out = console()
    with contextlib.ExitStack() as stack:
        sides = _sides(before, after, stack)
        names = _names(subject or (), before, after, operator or (), implementation or (), device)
        try:
            with steps(out, "comparing", len(names)) as advance:
                found = compared(
                    *sides,
                    names,
                    lambda side: Measurer(side, device, operator or (), implementation or ()),
                    times=not counts,
                    done=advance,
                )
        except SideError as error:
            raise BadInput(str(error)) from error
    for target, text in ((json_file, found.model_dump_json(indent=1)), (markdown, in_markdown(found))):
        if target is not None:
            with in_writing(target):
                target.write_text(text, encoding="utf-8")
    _show(found, out)
    raise typer.Exit(1 if found.slower else 2 if found.unmeasured else 0)


def _sides(before: str, after: str, stack: contextlib.ExitStack) -> "tuple[Side, Side]":
    from eagerdiff.harness.benchmark.side import Side, SideError, revision
    from eagerdiff.harness.corpus.interpreters import Interpreter, InterpreterError
    from eagerdiff.harness.devices import cache_folder

    texts = (before, after)
    try:
        if all(map(_WAY.fullmatch, texts)) and not any(os.path.exists(text) for text in texts):
            return Side(before, way=before), Side(after, way=after)
        if all(os.path.isfile(text) for text in texts):
            one, other = (Interpreter.find(text) for text in texts)
            return Side(f"{before} (torch {one.torch})", one.python), Side(
                f"{after} (torch {other.torch})", other.python
            )
        folder = cache_folder() / "revisions"
        folder.mkdir(parents=True, exist_ok=True)
        one, other = (stack.enter_context(revision(text, folder)) for text in texts)
        return one, other
    except (SideError, InterpreterError) as error:
        raise BadInput(str(error)) from error


def _names(
    given: Sequence[str],
    before: str,
    after: str,
    operators: Sequence[str],
    implementations: Sequence[str],
    device: str,
) -> list[str]:
    """Return what is compared: what is named, else the workloads of two implementations, else the curated set."""
    from eagerdiff.harness.benchmark.curated import curated_subjects
    from eagerdiff.harness.benchmark.subject import SubjectError, subject_named, subjects
    from eagerdiff.harness.cli.options import read_whole_catalog

    catalog = read_whole_catalog(operators, implementations)
    ways = [text for text in (before, after) if _WAY.fullmatch(text) and not os.path.exists(text)]
    try:
        for way in ways:
            subject_named(catalog, way, device)
        if given:
            return [subject_named(catalog, name, device).name for name in given]
    except SubjectError as error:
        raise BadInput(str(error)) from error
    found = list(subjects(catalog, device))
    if not ways:
        return [one.name for one in curated_subjects(found)]
    titles = [{one.title for one in found if one.name.startswith(f"{way}:")} for way in ways]
    return [f"{before}:{title}" for title in sorted(set.intersection(*titles))]


def _show(found: "Comparison", out: "Console") -> None:
    from eagerdiff.harness.cli.console import table

    told = found.changed
    if told:
        made = table("", "subject", "figure", "before", "after", "change", "")
        for one in told:
            made.add_row(one.subject, *_cells(one), one.word)
        out.print(made)
    for one in told:
        for reason in one.reasons[:3]:
            out.print(line(f"  {one.subject}: {reason}"), markup=False, soft_wrap=True)
    for name, why in found.unmeasured.items():
        complain(f"{name}: {why}")
    same = len(found.differences) - len(told)
    out.print(f"{same} of {len(found.differences)} figures are the same, {found.before} before and {found.after} after")


def _cells(one: "Difference") -> tuple[str, str, str, str]:
    from eagerdiff.harness.benchmark.figures import FIGURES

    change = f"{one.share:+.1%}" if one.before else "new"
    if one.low is not None and one.high is not None:
        change += f" ({one.low:+.1%} to {one.high:+.1%})"
    return f"{one.figure} [{FIGURES[one.figure].unit}]", f"{one.before:,.6g}", f"{one.after:,.6g}", change


def in_markdown(found: "Comparison") -> str:
    """Return what has changed as a table in Markdown, which no name or reason can break out of."""

    cell = markdowns.text
    told = found.changed
    lines = [f"### {cell(found.after)} against {cell(found.before)}", ""]
    if told:
        lines += ["| subject | figure | before | after | change | |", "|---|---|---:|---:|---:|---|"]
        for one in told:
            why = "; ".join(one.reasons[:3])
            cells = (one.subject, *_cells(one), f"{one.word}{f': {why}' if why else ''}")
            lines.append(f"| {' | '.join(map(cell, cells))} |")
        lines.append("")
    lines += [f"- {cell(name)}: not measured, {cell(why)}" for name, why in found.unmeasured.items()]
    lines.append(f"{len(found.differences) - len(told)} of {len(found.differences)} figures are the same.")
    return "\n".join(lines) + "\n"
