"""Run a script or a module in this process, its kernels checked: what `eagerdiff sanitize` starts."""

import argparse
import json
import os
import runpy
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from eagerdiff.harness.sanitizer import report
from eagerdiff.harness.sanitizer.session import refusal, session
from eagerdiff.harness.sinks import terminal

NOT_COMPILED = 2
"""Exit code where a kernel is not compiled, and nothing was found: nobody knows."""


def main(arguments: Sequence[str]) -> int:
    """Run, report on stderr, return the exit code: 1 where something was found, else the program's own."""
    parser = argparse.ArgumentParser(prog="eagerdiff sanitize")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", default="")
    parser.add_argument("--no-overflow", action="store_true")
    parser.add_argument("--module", action="store_true")
    parser.add_argument("target")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    refused: list[str] = []
    with session(given.seed, overflows=not given.no_overflow) as record:
        code = _run(given.target, given.rest, given.module, refused)
    for line in report.lines(record, refused):
        print(f"eagerdiff: {terminal.lines(line)}", file=sys.stderr)
    if given.json:
        Path(given.json).write_text(json.dumps(report.as_data(record, refused), indent=1) + "\n", encoding="utf-8")
    return 1 if record.findings else NOT_COMPILED if refused else code


def _run(target: str, rest: list[str], module: bool, refused: list[str]) -> int:
    """Run it as Python would; return its exit code."""
    sys.argv = [target, *rest]
    sys.path[0] = os.getcwd() if module else str(Path(target).resolve().parent)
    try:
        if module:
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(target, run_name="__main__")
    except SystemExit as error:
        if isinstance(error.code, int) or error.code is None:
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except BaseException as error:  # noqa: BLE001 - the program's own, told as Python tells it
        if line := refusal(error):
            refused.append(line)
        traceback.print_exception(error.with_traceback(_of_the_program(error)))
        return 1
    return 0


def _of_the_program(error: BaseException) -> TracebackType | None:
    """Leave out the frames that run the program."""
    found = error.__traceback__
    while found is not None and found.tb_frame.f_code.co_filename in (__file__, runpy.__file__, "<frozen runpy>"):
        found = found.tb_next
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
