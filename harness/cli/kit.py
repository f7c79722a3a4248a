"""`eagerdiff kit`: a finding, ready to file."""

import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput, complain, in_writing

if TYPE_CHECKING:
    from eagerdiff.harness.kit import Benches, Kit, Surroundings


def kit(
    scripts: Annotated[list[Path], typer.Argument(help="Scripts of findings, or folders of them.")],
    out: Annotated[Path, typer.Option(help="Folder of the kits, one a script.")] = Path("kits"),
    torch: Annotated[
        list[str] | None,
        typer.Option(metavar="PYTHON", help="Run the script under this Python's torch too; may be repeated."),
    ] = None,
    issues: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What is known: printed by `gh issue list --json title,url,body`."),
    ] = None,
    timeout: Annotated[str, typer.Option(help="Most time for one run of a script: 90s, 5m.")] = "2m",
    again: Annotated[bool, typer.Option("--again", help="Make kits anew that are there.")] = False,
    run_scripts: Annotated[
        bool, typer.Option("--run-scripts", help="Run scripts that did not come with this package.")
    ] = False,
) -> None:
    """Write a folder a script that has all that a maintainer asks for: `issue.md` is what to file. Nothing is sent.

    In it: the layer of torch.compile that fails, and what in it by torch's CompilerBisector; each output against eager
    and float64; each release given by --torch, with the first that is bad or good; what is known and like it; the trace
    that `tlparse` reads; the generated code; the environment. Exit code 0: each script shows its defect here, and has
    its kit; 1: one does not show it here, and its kit says so; 2: one has no kit, and why.
    """
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.folder import occupied
    from eagerdiff.harness.cli.given_scripts import named_scripts, refuse_others, warn_of_network
    from eagerdiff.harness.cli.options import read_budget, slots, writable_folder
    from eagerdiff.harness.cli.steps import steps
    from eagerdiff.harness.kit import Benches
    from eagerdiff.harness.reading import Unreadable
    from eagerdiff.harness.sinks import file_name

    seconds, found = read_budget(timeout), named_scripts(scripts)
    names = {script: file_name.stem(script.stem) for script in found}
    if twice := [name for name, count in Counter(names.values()).items() if count > 1]:
        raise BadInput(f"two scripts would have the kit {twice[0]}: give their folders in turn, with --out")
    if not run_scripts:
        refuse_others(found)
    folder = writable_folder(out)
    waiting = [script for script in found if again or not _made(script, folder / names[script])]
    terminal = console()
    if len(waiting) < len(found):
        terminal.print(f"{len(found) - len(waiting)} of {len(found)} kits are there already (--again makes them anew)")
    made: list[Kit] = []
    if waiting:
        benches = Benches(seconds)
        around = _around(torch or (), issues, seconds, benches)
        warn_of_network()

        def one(script: Path) -> None:
            try:
                with in_writing(folder):
                    made.append(_make(script, folder / names[script], around))
            except (Unreadable, BadInput) as error:
                complain(f"{script}: {error}")
            advance()

        with (
            benches,
            occupied(folder),
            steps(terminal, "kits", len(waiting)) as advance,
            ThreadPoolExecutor(slots()) as pool,
        ):
            list(pool.map(one, waiting))
    kits = [kit for script in found if (kit := _read(folder / names[script])) is not None]
    _show(kits)
    terminal.print(f"{len(kits)} of {len(found)} scripts have a kit in {folder}", soft_wrap=True)
    raise typer.Exit(2 if len(kits) < len(found) else 0 if all(one.shown for one in kits) else 1)


def _made(script: Path, folder: Path) -> bool:
    """Say whether a script has its kit, made from what it is now."""
    import hashlib

    kit = _read(folder)
    try:
        return kit is not None and kit.digest == hashlib.sha256(script.read_bytes()).hexdigest()
    except OSError:
        return False


def _read(folder: Path) -> "Kit | None":
    from eagerdiff.harness.kit import read_kit

    return read_kit(folder)


def _around(pythons: Sequence[str], issues: Path | None, seconds: float, benches: "Benches") -> "Surroundings":
    from eagerdiff.harness.catalog.provenance import home
    from eagerdiff.harness.corpus.evals import CorpusError
    from eagerdiff.harness.corpus.interpreters import Interpreter, InterpreterError
    from eagerdiff.harness.kit import Index, IssuesError, Surroundings, known_causes, read_issues

    try:
        known = read_issues(issues) if issues is not None else []
        given = [Interpreter.find(python) for python in pythons]
        here = Interpreter.find(sys.executable)
        others = {one.torch: one for one in (here, *given)}
        known += known_causes(home() / "suites" / "corpus")
    except (InterpreterError, IssuesError, CorpusError) as error:
        raise BadInput(str(error)) from error
    _, environment = here.watch(["-c", "from torch.utils.collect_env import main; main()"], seconds)
    return Surroundings(here, environment, others if pythons else {}, Index(known), seconds, benches)


def _make(script: Path, folder: Path, around: "Surroundings") -> "Kit":
    from eagerdiff.harness.corpus.evals import CorpusError
    from eagerdiff.harness.kit import make, note_on

    try:
        return make(script, folder, around, note_on(script))
    except CorpusError as error:
        raise BadInput(str(error)) from error


def _show(kits: "Sequence[Kit]") -> None:
    from eagerdiff.harness.cli.console import console, table

    made = table("", "script", "here", "layer", "where", "turns")
    for one in kits:
        made.add_row(one.script, one.here.state.value, one.layer, one.bisector or one.where, one.turns)
    if kits:
        console().print(made)
