"""Compiled kernels are found by content: what one machine compiled, another takes from the folder that both have."""

import os
import subprocess
import sys
from pathlib import Path

LEASE = """
from eagerdiff.harness.campaign.events import Judged, TargetKey, event_of
from eagerdiff.harness.campaign.campaign import build_of
from eagerdiff.harness.fleet import Crew, Lease, Setup
from eagerdiff.harness.results.environment import environment

crew = Crew(Setup(build=build_of(environment()), searched=["block_copy"], operators=["block_copy"], devices=["host"]))
crew.prepare()
target = next(key for key in crew.hello().open if key.implementation.startswith("triton"))
lease = Lease(number=0, target=target, batch=0, seed=0, first=False, seconds=120, slice_seconds=120, shrink_seconds=0,
              shrink_runs=0)
lines = [line for told in crew.work(0, lease) for line in told.splitlines(keepends=True)]
judged = [event for line in lines if isinstance(event := event_of(line), Judged)]
assert all(event.outcome.right for event in judged), judged
print(len(judged))
crew.close()
"""


def lease(cache: Path) -> int:
    """Do the same lease in a process with a cache folder; return how many workloads were judged."""
    environ = os.environ | {"EAGERDIFF_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", LEASE], env=environ, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def compiled(cache: Path) -> dict[str, int]:
    """Return the libraries that are there, and when each was written."""
    return {str(path.relative_to(cache)): path.stat().st_mtime_ns for path in cache.rglob("*.so")}


def test_what_one_machine_compiled_another_does_not_compile_again(tmp_path: Path) -> None:
    assert lease(tmp_path) > 5
    first = compiled(tmp_path)
    assert first
    assert lease(tmp_path) > 5
    assert compiled(tmp_path) == first
