"""Measure programs under every engine that is here: `python -m eagerdiff.suites.engine_table [PROGRAM …] [--out FILE]`.

About a minute a program. Times are ratios of what runs in turn: run nothing beside it.
"""

import argparse
import sys
import time
from pathlib import Path

from eagerdiff.reference.symbolic import EVERY
from eagerdiff.suites.engine_table.line import COMMAND, MEASURED, Head, read, write
from eagerdiff.suites.engine_table.measuring import measure


def main() -> None:
    """Measure what is named, or all."""
    reading = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    reading.add_argument("programs", nargs="*", metavar="PROGRAM", help="all by default")
    reading.add_argument("--out", type=Path, default=MEASURED, help="the file of results; others' lines are kept")
    asked = reading.parse_args()
    if unknown := [name for name in asked.programs if name not in EVERY]:
        sys.exit(f"engine_table: there is no program {unknown[0]}, but {', '.join(EVERY)}")
    named = asked.programs or [*EVERY]
    kept = read(asked.out) if asked.programs else None
    lines = [line for line in kept[1] if line.program not in named] if kept else []
    order = {program: at for at, program in enumerate(EVERY)}
    began = time.monotonic()
    for name, found in zip(named, measure(named), strict=True):
        lines += found
        write(asked.out, Head.now(), sorted(lines, key=lambda line: order[line.program]))
        whole = sum(0 < line.right == line.of for line in found)
        print(
            f"{name}: {whole} of {len(found)} ways are right at all sizes ({time.monotonic() - began:.0f} s)",
            flush=True,
        )
        began = time.monotonic()


if __name__ == "__main__":
    main()
