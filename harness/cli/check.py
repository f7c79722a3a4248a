"""`eagerdiff check`: a function or a module of one's own, with no code at all."""

import json
import os
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput

OWN = "eagerdiff.suites.own.command"
"""What imports the user's code and checks it, in a process of its own."""


def check(
    target: Annotated[
        str,
        typer.Argument(
            help="module:function, folder/file.py:function, or a torch.nn.Module; with --like it may be left out."
        ),
    ] = "",
    example: Annotated[
        str,
        typer.Option(help="Function that returns example arguments (a tuple, or a dict by name); of TARGET's module."),
    ] = "",
    like: Annotated[
        Path | None,
        typer.Option(help="A file of `eagerdiff record`: its calls are made again, and others drawn around them."),
    ] = None,
    way: Annotated[
        list[str] | None,
        typer.Option(
            help="static, automatic, dynamic, mark_dynamic, unbacked, gpu_code, export, aoti; may be repeated."
        ),
    ] = None,
    gradients: Annotated[bool | None, typer.Option(help="Take gradients; by default of modules in training.")] = None,
    fullgraph: Annotated[bool, typer.Option("--fullgraph", help="A graph break is a failure.")] = False,
    max_compiles: Annotated[int | None, typer.Option(help="Most compilations of a workload.", min=1)] = None,
    seconds: Annotated[float, typer.Option(help="Seconds of each way's search.", min=0)] = 10.0,
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 0,
) -> None:
    """Hold one function or module, compiled in several ways, against eager at sizes that change.

    What its arguments are is read from annotations, its docstring or --example; dtypes, indices and bounds are found
    out, and said. With --like the recorded calls say it; without TARGET every function of the recording is checked that
    lies in the folder that is worked in.

    Exit code 0: right; 1: it fails; 2: it could not be checked, and says why.
    """
    from eagerdiff.harness.catalog.provenance import imported_from
    from eagerdiff.harness.processes.fresh_process import python

    if like is not None and not like.is_file():
        raise BadInput(f"no such file: {like}")
    if like is not None and example:
        raise BadInput("--like says the arguments: leave --example out")
    if ":" not in target and (target or like is None):
        raise BadInput(f"{target!r} names no function: write module:function, or folder/file.py:function")
    options: dict[str, object] = {
        "gradients": gradients,
        "fullgraph": fullgraph,
        "max_compiles": max_compiles,
        "seconds": seconds,
        "seed": seed,
    }
    if way:
        options["ways"] = way
    like_file = "" if like is None else str(like)
    told = json.dumps({"target": target, "example": example, "like": like_file, "options": options})
    ended = subprocess.run(python(OWN, told), env=os.environ | imported_from(), check=False)
    raise typer.Exit(ended.returncode if ended.returncode in (0, 1, 2) else 2)
