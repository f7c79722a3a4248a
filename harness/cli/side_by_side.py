"""`eagerdiff nightly --torch`: one night under each of several torches, and every cause's script under all of them."""

import contextlib
import functools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.failure import BadInput, in_writing
from eagerdiff.harness.cli.interruption import Interruption

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.corpus.interpreters import Interpreter
    from eagerdiff.harness.results.results import Results
    from eagerdiff.harness.results.sides import Crossed, Sides

_NEEDED = "eagerdiff.harness.cli.conduct, eagerdiff.harness.campaign, eagerdiff.harness.search, triton"
"""What another Python must be able to import."""


@dataclass(frozen=True)
class Asked:
    """Say what every night is given, and where the report goes."""

    lists: Mapping[str, Sequence[str] | None]
    """Option of `eagerdiff nightly` that may be repeated → its values."""
    seed: int
    budget: float
    """Seconds, of each night and, at its end, of running scripts."""
    from_scratch: bool
    folder: Path
    history: Path | None
    resume: bool

    def options(self) -> list[str]:
        """Return what stands on the command line of each night, but for its own `--out` and `--history`."""
        repeated = [part for name, values in self.lists.items() for value in values or () for part in (name, value)]
        flags = ["--resume"] * self.resume + ["--from-scratch"] * self.from_scratch
        return [*repeated, "--budget", f"{self.budget}s", "--seed", str(self.seed), *flags]


def side_by_side(pythons: Sequence[str], asked: Asked, out: "Console") -> int:
    """Have a night under this Python and under each of others; return the largest of their exit codes.

    Each night's report is in a folder of its own; the page beside these has a column each. Raises BadInput.
    """
    from eagerdiff.harness.cli.folder import occupied, set_aside
    from eagerdiff.harness.report import write_sides
    from eagerdiff.harness.report.sides import sides_headline
    from eagerdiff.harness.results.sides import Side, Sides

    named = _named(_found(pythons))
    interruption, sides = Interruption(), Sides()
    with interruption.handled(), occupied(asked.folder):
        if not asked.resume and (kept := set_aside(asked.folder)):
            out.print(f"the report of the run before is kept in {kept}", soft_wrap=True)
        for number, (name, interpreter) in enumerate(named.items()):
            if interruption.asked:
                break
            out.print(f"night {number + 1} of {len(named)}: {name}", soft_wrap=True)
            folder = _folder_of(name)
            history = None if asked.history is None else asked.history / _history_of(interpreter)
            code = _night(interpreter.python, asked, folder, history, interruption)
            sides.sides.append(Side(name=name, folder=folder, code=code))
        if not sides.sides:
            return 2
        results = read_sides(sides, asked.folder)
        sides.crossed = crossed(sides, results)
        interruption.wait_for(lambda: _cross(sides, named, asked, interruption, out), None)
        sides.interrupted = interruption.asked
        with in_writing(asked.folder):
            write_sides(sides, results, asked.folder)
    out.print(sides_headline(sides), markup=False, soft_wrap=True)
    out.print(f"report: {asked.folder / 'index.html'}", soft_wrap=True)
    return max(side.code for side in sides.sides)


def read_sides(sides: "Sides", folder: Path) -> "dict[str, Results]":
    """Return the results of the sides that have a report in a folder; of the others it is said why they have none."""
    from eagerdiff.harness.cli.written import read_results
    from eagerdiff.harness.sinks.html import link

    found: dict[str, Results] = {}
    for side in sides.sides:
        try:
            if not link(side.folder):
                raise BadInput(f"{side.folder!r} is no folder beside the page")
            found[side.name] = read_results(folder / side.folder)
        except BadInput as error:
            side.problem = str(error)
    return found


def _found(pythons: Sequence[str]) -> "list[Interpreter]":
    """Return this Python, and others that can run this eagerdiff."""
    from eagerdiff.harness.catalog.provenance import imported_from
    from eagerdiff.harness.corpus.interpreters import Interpreter, InterpreterError
    from eagerdiff.harness.processes.fresh_process import run_fresh, telling_line

    try:
        found = [Interpreter.find(python) for python in (sys.executable, *pythons)]
    except InterpreterError as error:
        raise BadInput(str(error)) from error
    for one in found[1:]:
        settings = [f"{name}={value}" for name, value in imported_from().items()]
        code, said = run_fresh(["env", *settings, one.python, "-c", f"import {_NEEDED}"], 120.0)
        if code != 0:
            why = telling_line(said) or f"exit code {code}"
            raise BadInput(f"{one.python} cannot run eagerdiff: {why} (install it there, beside its torch)")
    return found


def _named(found: "Sequence[Interpreter]") -> "dict[str, Interpreter]":
    """Return interpreters by their torch; with the path where two have one version."""
    versions = [one.torch for one in found]
    return {f"torch {one.torch}" + (f" ({one.python})" if versions.count(one.torch) > 1 else ""): one for one in found}


def _folder_of(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "-", name).strip("-.")


def _history_of(interpreter: "Interpreter") -> str:
    """Return the name of a Python's history, which stays when its torch is another one tomorrow."""
    return "here" if interpreter.python == os.path.abspath(sys.executable) else _folder_of(interpreter.python)


def _night(python: str, asked: Asked, folder: str, history: Path | None, interruption: Interruption) -> int:
    """Have a night in a session of its own, to which signals are handed on; return its exit code, 2 where it died."""
    from eagerdiff.harness.catalog.provenance import imported_from
    from eagerdiff.harness.processes.kinship import die_with_parent

    command = [python, "-m", "eagerdiff.harness.cli", "nightly", *asked.options(), "--out", str(asked.folder / folder)]
    if history is not None:
        command += ["--history", str(history)]
    process = subprocess.Popen(
        command,
        env=os.environ | imported_from(),
        start_new_session=True,
        preexec_fn=functools.partial(die_with_parent, signal.SIGTERM),
    )

    def hand_on() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGINT)

    interruption.stops(hand_on)
    try:
        code = process.wait()
    finally:
        interruption.stops(lambda: None)
    return code if code in (0, 1, 2) else 2


def crossed(sides: "Sides", results: "Mapping[str, Results]") -> "list[Crossed]":
    """Return the causes that nights met, new ones first, each with a script where some finding has one."""
    from eagerdiff.harness.results.sides import Crossed
    from eagerdiff.harness.triage.cause import cause_of

    met: dict[object, Crossed] = {}
    for side in sides.sides:
        for finding in results[side.name].findings if side.name in results else ():
            one = met.setdefault(
                (finding.operator, cause_of(finding)),
                Crossed(
                    operator=finding.operator,
                    implementation=finding.implementation,
                    device=finding.device,
                    defect=finding.defect.value,
                    what=finding.verdict.reason or finding.verdict.status.value,
                    new=False,
                    script="",
                    met=[],
                ),
            )
            if finding.script and not one.script:
                one.script = f"{side.folder}/{finding.script}"
            one.new |= finding.new
            if side.name not in one.met:
                one.met.append(side.name)
    return sorted(met.values(), key=lambda one: not one.new)


def _cross(
    sides: "Sides", named: "Mapping[str, Interpreter]", asked: Asked, interruption: Interruption, out: "Console"
) -> None:
    """Run each cause's script under every torch, as long as there is time."""
    from eagerdiff.harness.cli.options import slots
    from eagerdiff.harness.cli.steps import steps
    from eagerdiff.harness.results.sides import Told

    until = time.monotonic() + asked.budget

    def going() -> bool:
        return not interruption.asked

    def tell(one: "Crossed") -> None:
        script = (asked.folder / one.script).resolve()
        if one.script and going() and time.monotonic() < until:
            ended = {name: python.run(script, going=going) for name, python in named.items()}
            if going():
                one.told = {name: Told(state=ending.state.value, why=ending.why) for name, ending in ended.items()}
        advance()

    with (
        steps(out, "running scripts under every torch", len(sides.crossed)) as advance,
        ThreadPoolExecutor(slots()) as pool,
    ):
        list(pool.map(tell, sides.crossed))
