"""`eagerdiff bench`, in a process of its own: it imports what is measured, and asv."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from eagerdiff import python_command
from eagerdiff.suites.bench.changes import Readings, Value
from eagerdiff.suites.bench.names import ENVIRONMENT
from eagerdiff.suites.bench.project import CONFIG, BenchError, Project, is_changed, root_of
from eagerdiff.suites.bench.telling import duration, table, value_of

TIMING = 0.5
"""Of what counting a subject takes: what judging it again, compiling and sampling it takes; measured."""
QUIET = 10.0
"""Seconds between two lines that say how far it is."""
START = 20.0
"""Seconds in which asv starts, finds the benchmarks, and publishes; and of each round of each commit the fourth."""


def main(told: str) -> NoReturn:
    """Measure what a JSON object names, print what changed, and end with the exit code."""
    try:
        sys.exit(_bench(json.loads(told)))
    except BenchError as error:
        print(f"eagerdiff: {error}", file=sys.stderr)
        sys.exit(2)


def _bench(asked: dict[str, Any]) -> int:
    root = root_of(Path.cwd())
    named = _from_root(root, asked["operators"]), _from_root(root, asked["implementations"])
    if any(named):
        project = Project.written(root, *named, asked["rounds"])
    elif (theirs := root / CONFIG).exists():
        project = Project(root, theirs)
    else:
        raise BenchError(
            "name what is measured: eagerdiff bench my_ops.py:OPERATOR, or operators in [tool.eagerdiff] "
            f"(an {CONFIG} of your own is taken too)"
        )
    commits = _commits(project, asked["commits"], asked["baseline"])
    if is_changed(root):
        print("what is not committed is not measured")
    if any(named):
        _announce(project, named, len(commits), asked["rounds"])
    _measure(project, commits)
    return _tell(project, commits[0], commits[-1])


def _from_root(root: Path, specs: list[str]) -> list[str]:
    """Return specs whose files are named from the root of the repository on."""
    found: list[str] = []
    for spec in specs:
        home, _, attribute = spec.rpartition(":")
        if home.endswith(".py"):
            path = Path(home).resolve()
            if not path.is_relative_to(root.resolve()):
                raise BenchError(f"{home} is not in {root}: its commits are measured")
            spec = f"{path.relative_to(root.resolve())}:{attribute}"
        found.append(spec)
    return found


def _commits(project: Project, given: str, baseline: str) -> list[str]:
    """Return the commits that are measured, the oldest first: a range, or a baseline and the commit given."""
    if baseline:
        return [*project.commits(baseline), *project.commits(given or "HEAD")[-1:]]
    if given:
        return project.commits(given)
    try:
        return [*project.commits("HEAD~1"), *project.commits("HEAD")]
    except BenchError:
        return project.commits("HEAD")


def _announce(project: Project, named: tuple[list[str], list[str]], commits: int, rounds: int) -> None:
    """Measure one subject as it is in the working tree, and say how long all of it will take. Raises BenchError."""
    with project.log.open("a", encoding="utf-8") as log:
        ended = subprocess.run(
            python_command("eagerdiff.suites.bench.own", json.dumps(named)),
            cwd=project.root,
            env=os.environ | ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            check=False,
        )
    if ended.returncode:
        raise BenchError(f"what is named cannot be loaded: {project.last_line}")
    told: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    if told["why"]:
        raise BenchError(f"{told['first'] or 'nothing to measure'}: {told['why']}: see {project.log}")
    a_commit = rounds * START / 4 + told["subjects"] * told["seconds"] * (1 + TIMING * rounds)
    print(
        f"{told['subjects']} subjects (implementation and workload), {commits} commits, {rounds} rounds in turn: "
        f"about {duration(START + commits * a_commit)}",
        flush=True,
    )


def _measure(project: Project, commits: list[str]) -> None:
    """Have asv measure the commits, in turn round by round; raise BenchError where it cannot."""
    shown = started = time.monotonic()

    def say(percent: float) -> None:
        nonlocal shown
        if time.monotonic() - shown > QUIET:
            shown = time.monotonic()
            print(f"{percent:.0f} % after {duration(shown - started)}", flush=True)

    if project.asv("machine", "--yes"):
        raise BenchError(f"asv takes no notes of this machine: see {project.log}")
    each = "".join(f"{commit}\n" for commit in commits)
    options = ["--interleave-rounds", "--record-samples", "--no-pull"]
    failed = project.asv("run", *options, "--show-stderr", "HASHFILE:-", told=each, said=say)
    if failed not in (0, 2):  # 2: some benchmark failed
        raise BenchError(f"asv ended with exit code {failed}: {project.last_line}: see {project.log}")


def _tell(project: Project, before: str, after: str) -> int:
    """Print what changed between two commits, and where asv's pages are; return the exit code."""
    readings = Readings(project.config)
    if not readings.of(after):
        raise BenchError(f"nothing was measured of {after[:10]}: see {project.log}")
    rows = list(readings.compare(before, after)) if before != after else []
    for line in table(rows, before[:10], after[:10]) if rows else _values(readings.of(after)):
        print(line)
    project.asv("publish")
    print(f"pages: {project.config.parent / 'html' / 'index.html'} (asv --config {project.config} preview)")
    return 1 if any(row.word == "worse" for row in rows) else 0


def _values(found: Mapping[tuple[str, str, str], Value]) -> Iterator[str]:
    for (label, name, unit), value in found.items():
        yield f"{label} {name}: {value_of(value, unit)}"
