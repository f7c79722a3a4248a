"""`eagerdiff sanitize SCRIPT.py`: anybody's program, its Triton kernels compiled for this machine and checked."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput
from eagerdiff.harness.cli.options import writable_file

SETTINGS = {"allow_interspersed_args": False, "ignore_unknown_options": True}
"""What follows the script is the script's."""


def sanitize(
    target: Annotated[str, typer.Argument(metavar="SCRIPT", help="The script; with -m a module, such as pytest.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="ARGS", help="What the script is given.")] = None,
    module: Annotated[bool, typer.Option("-m", help="Run a module, as `python -m` does.")] = False,
    seed: Annotated[
        int, typer.Option(min=0, help="Shuffle and interleave the programs of each launch; 0 keeps them in order.")
    ] = 0,
    overflow: Annotated[
        bool, typer.Option("--overflow/--no-overflow", help="Report 32-bit integers that wrap around.")
    ] = True,
    json: Annotated[Path | None, typer.Option(help="Write what was found as JSON, too.")] = None,
) -> int:
    """Run a program that launches Triton kernels with no GPU, and report what they do wrong.

    Reports, with source lines: accesses outside an argument, reads of what nothing has written, races between the
    programs of a launch, integers that wrap around, assertions that fail. Tensors on `cuda` are kept in host memory.

    Ends with 1 where something was found, with 2 where a kernel could not be compiled, else as the program does.
    """
    from eagerdiff.harness.sanitizer import session

    if not module and not Path(target).is_file():
        raise BadInput(f"no such script: {target} (a module is run with -m)")
    if reason := session.unavailable():
        raise BadInput(f"no kernel can be checked here: {reason}")
    written = writable_file(json)
    options = [f"--seed={seed}", *([] if overflow else ["--no-overflow"]), *(["--module"] if module else [])]
    if written is not None:
        options.append(f"--json={written.absolute()}")
    command = [sys.executable, "-m", "eagerdiff.harness.sanitizer", *options, "--", target, *(arguments or [])]
    sys.stdout.flush()
    ended = subprocess.run(command, env=os.environ | session.environment(), check=False).returncode
    return ended if ended >= 0 else 128 - ended
