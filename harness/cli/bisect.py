"""`eagerdiff bisect`: with which release of torch, or revision of a repository, a defect came, or went."""

import contextlib
import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput, complain

if TYPE_CHECKING:
    from eagerdiff.harness.corpus.bisection import Bisection
    from eagerdiff.harness.corpus.interpreters import Ending, Interpreter


def bisect(
    scripts: Annotated[list[Path], typer.Argument(help="Scripts of findings, or folders of them.")],
    good: Annotated[
        str | None, typer.Option(metavar="RELEASE", help="A torch without the defect: 2.11.0; or a revision.")
    ] = None,
    bad: Annotated[str | None, typer.Option(metavar="RELEASE", help="One with it; it may be the older one.")] = None,
    repository: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Bisect revisions of this git repository, which the script imports from."),
    ] = None,
    build: Annotated[
        str, typer.Option(metavar="COMMAND", help="With --repository: what makes a revision ready, run in it.")
    ] = "",
    torch: Annotated[
        list[str] | None,
        typer.Option(metavar="PYTHON", help="A Python to try instead of what pip installs; give two at least."),
    ] = None,
    timeout: Annotated[str, typer.Option(help="Most time for a script under one release: 90s, 5m.")] = "5m",
    run_scripts: Annotated[
        bool, typer.Option("--run-scripts", help="Run scripts that did not come with this package.")
    ] = False,
) -> None:
    """Find the first release of torch, or revision, that has a defect, or the first that has it no more.

    Between --good and --bad each release gets an environment in the cache folder, installed by pip as pip is set up
    (`PIP_INDEX_URL` chooses builds for the CPU); with --torch, environments that are there are asked. What cannot be
    installed, or lacks what a script uses, is passed over. With --repository the revisions between both are checked
    out in a worktree, which stands first in the script's PYTHONPATH; one that cannot be built is passed over. Exit code
    0: each script was told; 2: one was not, and why.
    """
    from eagerdiff.harness.cli.console import console, table
    from eagerdiff.harness.cli.given_scripts import named_scripts, refuse_others, warn_of_network
    from eagerdiff.harness.cli.options import read_budget
    from eagerdiff.harness.cli.steps import steps
    from eagerdiff.harness.corpus.bisection import BisectionError
    from eagerdiff.harness.corpus.bisection import bisect as turn_of

    seconds, found = read_budget(timeout), named_scripts(scripts)
    if not run_scripts:
        refuse_others(found)
    if repository is None and build:
        raise BadInput("--build needs --repository DIR: releases of torch are not built")
    if repository is not None and torch:
        raise BadInput("give --repository or --torch, not both")
    out, untold = console(), 0
    made = table("", "script", "what", "tried")
    with contextlib.ExitStack() as stack:
        if repository is not None:
            releases, asking = _revisions(repository, build, good, bad, stack)
        else:
            releases, python_of = _given(torch) if torch else _installed(good, bad)
            asking = functools.partial(_asking, python_of)
        warn_of_network()
        advance = stack.enter_context(steps(out, "bisecting", len(found)))
        for script in found:
            try:
                told = turn_of(releases, asking(script, seconds))
                made.add_row(script.stem, str(told), _tried(told))
            except BisectionError as error:
                untold += 1
                complain(f"{script.stem}: {error}")
            advance()
    if untold < len(found):
        out.print(made)
    raise typer.Exit(2 if untold else 0)


def _given(pythons: Sequence[str]) -> "tuple[list[str], Callable[[str], Interpreter | Ending]]":
    """Return the releases of environments that are there, in order, and the Python of each."""
    from eagerdiff.harness.corpus.interpreters import Interpreter, InterpreterError
    from eagerdiff.harness.corpus.releases import order_of

    try:
        found = {one.torch: one for one in map(Interpreter.find, pythons)}
    except InterpreterError as error:
        raise BadInput(str(error)) from error
    return sorted(found, key=order_of), found.__getitem__


def _installed(good: str | None, bad: str | None) -> "tuple[list[str], Callable[[str], Interpreter | Ending]]":
    """Return the releases between two, in order, and the Python of each or why there is none, found out once."""
    from eagerdiff.harness.corpus.interpreters import Ending, State
    from eagerdiff.harness.corpus.releases import ReleaseError, Releases
    from eagerdiff.harness.devices import cache_folder

    if good is None or bad is None:
        raise BadInput("say between which releases: --good 2.11.0 --bad 2.13.0, or --torch PYTHON twice")
    releases = Releases(cache_folder() / "releases")

    @functools.cache
    def python_of(release: str) -> "Interpreter | Ending":
        try:
            return releases.interpreter(release)
        except ReleaseError as error:
            return Ending(State.OTHER, str(error))

    try:
        return releases.between(good, bad), python_of
    except ReleaseError as error:
        raise BadInput(str(error)) from error


def _revisions(
    repository: Path, build: str, good: str | None, bad: str | None, stack: contextlib.ExitStack
) -> "tuple[list[str], Callable[[Path, float], Callable[[str], Ending]]]":
    """Return the revisions between two, in order, and what asks one of them."""
    from eagerdiff.harness.corpus.interpreters import Interpreter, InterpreterError
    from eagerdiff.harness.corpus.revisions import RevisionError, revisions
    from eagerdiff.harness.devices import cache_folder

    if good is None or bad is None:
        raise BadInput("say between which revisions: --good v1.2 --bad HEAD")
    try:
        here = Interpreter.find(sys.executable)
        found = stack.enter_context(revisions(repository, cache_folder() / "revisions", build, here))
        between = found.between(good, bad)
    except (InterpreterError, RevisionError) as error:
        raise BadInput(str(error)) from error
    return between, lambda script, seconds: lambda revision: found.run(revision, script, seconds)


def _asking(
    python_of: "Callable[[str], Interpreter | Ending]", script: Path, seconds: float
) -> "Callable[[str], Ending]":
    from eagerdiff.harness.corpus.interpreters import Ending

    def ask(release: str) -> Ending:
        python = python_of(release)
        return python if isinstance(python, Ending) else python.run(script, seconds)

    return ask


def _tried(told: "Bisection") -> str:
    return ", ".join(f"{release} {ending.state.value}" for release, ending in told.tried.items())
