"""`eagerdiff bench`: your operators, timed and counted over your commits, through asv."""

import json
import os
import subprocess
from typing import Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput

OWN = "eagerdiff.suites.bench.command"
"""What imports the user's code and asv, in a process of its own."""


def bench(
    operator: Annotated[
        list[str] | None, typer.Argument(help="module:OPERATOR or folder/file.py:OPERATOR. Default: the project's.")
    ] = None,
    implementation: Annotated[
        list[str] | None, typer.Option(help="Only this one: module:ATTRIBUTE; may be repeated.")
    ] = None,
    commits: Annotated[
        str, typer.Option(metavar="A..B", help="A range of commits, or one. Default: the last two.")
    ] = "",
    baseline: Annotated[
        str, typer.Option(metavar="REV", help="Compare HEAD, or the last of --commits, with this.")
    ] = "",
    rounds: Annotated[int, typer.Option(help="Processes of each commit that time a subject, in turn.", min=1)] = 4,
) -> None:
    """Time and count implementations on their operators' fixed workloads, commit by commit, and say what changed.

    asv measures: an asv.conf.json of your own is used where no operator is named, else one is written to
    `.eagerdiff/asv`, with this Python and torch for every commit. More is worse, of every figure.

    Exit code 0: nothing is worse than before; 1: something is; 2: it could not be measured, and says why.
    """
    from importlib.util import find_spec

    from eagerdiff.harness.catalog.provenance import imported_from
    from eagerdiff.harness.processes.fresh_process import python

    if find_spec("asv") is None:
        raise BadInput("bench needs asv: pip install 'eagerdiff[benchmarks]'")
    told = {
        "operators": operator or [],
        "implementations": implementation or [],
        "commits": commits,
        "baseline": baseline,
        "rounds": rounds,
    }
    ended = subprocess.run(python(OWN, json.dumps(told)), env=os.environ | imported_from(), check=False)
    raise typer.Exit(ended.returncode if ended.returncode in (0, 1, 2) else 2)
