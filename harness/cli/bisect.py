"""`eagerdiff bisect`: with which release of torch a defect came, or went."""

import functools
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
    good: Annotated[str | None, typer.Option(metavar="RELEASE", help="A torch without the defect: 2.11.0.")] = None,
    bad: Annotated[str | None, typer.Option(metavar="RELEASE", help="One with it; it may be the older one.")] = None,
    torch: Annotated[
        list[str] | None,
        typer.Option(metavar="PYTHON", help="A Python to try instead of what pip installs; give two at least."),
    ] = None,
    timeout: Annotated[str, typer.Option(help="Most time for a script under one release: 90s, 5m.")] = "5m",
    run_scripts: Annotated[
        bool, typer.Option("--run-scripts", help="Run scripts that did not come with this package.")
    ] = False,
) -> None:
    """Find the first release of torch that has a defect, or the first that has it no more.

    Between --good and --bad each release gets an environment in the cache folder, installed by pip as pip is set up
    (`PIP_INDEX_URL` chooses builds for the CPU); with --torch, environments that are there are asked. What cannot be
    installed, or lacks what a script uses, is passed over. Exit code 0: each script was told; 2: one was not, and why.
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
    releases, python_of = _given(torch) if torch else _installed(good, bad)
    warn_of_network()
    out, untold = console(), 0
    made = table("", "script", "what", "tried")
    with steps(out, "bisecting", len(found)) as advance:
        for script in found:
            try:
                told = turn_of(releases, _asking(python_of, script, seconds))
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
