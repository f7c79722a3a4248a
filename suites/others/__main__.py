"""Check functions of others and note what comes of it: `python -m eagerdiff.suites.others [NAME …] [--seconds 10]`.

Packages are installed into the cache folder, and the checks run in a Python that has them.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from eagerdiff import Checked, CheckFailed, InstallationError, install_environment
from eagerdiff.suites.others import packages, record
from eagerdiff.suites.others.table import Stranger, strangers
from eagerdiff.suites.own.advice import advice
from eagerdiff.suites.own.telling import calls_of

WAYS = ("aot_eager.dynamic", "aot_eager.unbacked", "export", "inductor.dynamic")
"""Ways of compiling that each is held under."""
HERE = "EAGERDIFF_OTHERS_HERE"
"""Set where the packages are there."""


def main() -> None:
    """Check what is named, or all; exit code 2 where that cannot be."""
    table = strangers()
    reading = argparse.ArgumentParser(prog="python -m eagerdiff.suites.others", description=__doc__)
    reading.add_argument("names", nargs="*", metavar="NAME", help="package.function, or package; all by default")
    reading.add_argument("--seconds", type=float, default=10.0, help="of each way's search")
    reading.add_argument("--missing", action="store_true", help="those alone that have no result yet")
    reading.add_argument("--out", type=Path, default=record.RESULTS, help="the file of results")
    asked = reading.parse_args()
    named = [name for name in table if not asked.names or {name, name.partition(".")[0]} & {*asked.names}]
    if not named:
        sys.exit(f"others: nothing is called {asked.names[0]}: {', '.join(table)}")
    rows = record.read(asked.out)
    if asked.missing:
        named = [name for name in named if name not in rows]
    if HERE not in os.environ:
        try:
            python = install_environment(packages.OTHERS)
        except InstallationError as error:
            print(f"others: {error}", file=sys.stderr)
            sys.exit(2)
        command = [str(python), "-m", "eagerdiff.suites.others", *sys.argv[1:]]
        sys.exit(subprocess.run(command, env=os.environ | {HERE: "1"}, check=False).returncode)
    for name in named:
        began = time.monotonic()
        rows[name] = row = checked(name, table[name], asked.seconds)
        record.write((rows[one] for one in table if one in rows), asked.out)
        told = row.broken or f"{sum(row.ways.values())} calls, {len(row.findings)} findings"
        print(f"{name}: {told} ({time.monotonic() - began:.0f} s)", flush=True)


def checked(name: str, stranger: Stranger, seconds: float) -> record.Row:
    """Return what comes of one check."""
    import torch

    torch.manual_seed(0)
    package = name.partition(".")[0]
    base = record.Row(name, package, version(package), torch.__version__)
    try:
        found = stranger(ways=WAYS, seconds=seconds, seed=0)
    except CheckFailed as failed:
        print(failed, flush=True)
        found = failed.checked
    except Exception as error:  # noqa: BLE001 - whatever others' code raises is told in a line
        return replace(base, broken=f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
    return _row(base, found)


def _row(base: record.Row, found: Checked) -> record.Row:
    left_out: Counter[str] = sum((one.skipped for one in found.ways.values()), Counter())
    findings = [
        record.Met(
            way, one.verdict.status.value, one.defect.value, one.verdict.describe(), calls_of(one), [*advice(one)]
        )
        for way, check in found.ways.items()
        for one in check.findings
    ]
    return record.Row(
        base.name,
        base.package,
        base.version,
        base.torch,
        {way: one.cases for way, one in found.ways.items()},
        found.said,
        findings,
        dict(left_out),
        next((one.broken for one in found.ways.values() if one.broken), ""),
    )


if __name__ == "__main__":
    main()
