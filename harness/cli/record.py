"""`eagerdiff record -- COMMAND`: a program runs as it is, and what it called compiled functions with is a file."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput, complain, in_writing
from eagerdiff.harness.cli.options import writable_file

SETTINGS = {"allow_interspersed_args": False}
"""What follows the command is the command's."""


def record(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND", help="python train.py …, pytest …, after `--`.")],
    out: Annotated[Path, typer.Option(help="The file; one that is there is replaced.")] = Path("shapes.yaml"),
    contents: Annotated[
        bool,
        typer.Option("--contents", help="Keep integer tensors of up to 256 elements, and bounds of larger ones."),
    ] = False,
    function: Annotated[
        list[str] | None,
        typer.Option(help="module:function, noted too, as one that launches a kernel; may be repeated."),
    ] = None,
) -> int:
    """Run a program, and note the shapes with which it calls compiled functions and Triton kernels.

    `eagerdiff check --like shapes.yaml` replays them. Of tensors nothing but metadata is noted. Each Python that the
    program starts is recorded too, but one that ignores PYTHONPATH (`-I`, `-E`, `-S`).

    Ends as the program does.
    """
    from eagerdiff.harness.recording.child import environment
    from eagerdiff.harness.recording.merging import finish
    from eagerdiff.harness.recording.named import checked_names
    from eagerdiff.harness.recording.session import fresh_parts

    if shutil.which(command[0]) is None:
        raise BadInput(f"no such program: {command[0]}")
    try:
        functions = checked_names(function or ())
    except ValueError as error:
        raise BadInput(str(error)) from error
    path = writable_file(out.absolute())
    assert path is not None
    with in_writing(path.parent):
        parts = fresh_parts(path)
    sys.stdout.flush()
    code = _run(command, os.environ | environment(parts, contents=contents, functions=functions))
    with in_writing(path.parent):
        found = finish(path)
    if not found.functions:
        complain("nothing compiled was called, and no Triton kernel was launched")
    called = {one.name for one in found.functions}
    for name in functions:
        if name not in called and not any(line.startswith(f"{name}:") for line in found.not_noted):
            complain(f"{name} was not called by that name of its module")
    for line in found.not_noted:
        complain(line)
    complain(f"written: {out}: {found.summary()}")
    return code


def _run(command: Sequence[str], variables: dict[str, str]) -> int:
    """Run a program to its end, whatever it and we are sent; return its exit code."""
    process = subprocess.Popen(command, env=variables)
    before = signal.signal(signal.SIGTERM, lambda number, frame: process.terminate())
    try:
        while True:
            try:
                code = process.wait()
                return code if code >= 0 else 128 - code
            except KeyboardInterrupt:
                continue  # the program is sent it too; what it noted is written when it has ended
    finally:
        signal.signal(signal.SIGTERM, before)
