"""What is killed of a real fleet takes nothing with it; more of it, and figures: `kills.py`."""

import shutil
from pathlib import Path

import pytest

from eagerdiff.suites.tests.fleet.kills import KINDS, killed

pytest.importorskip("ray", reason="needs Ray: make test-fleet")


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server: apt-get install redis-server")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_killed_takes_nothing_with_it(kind: str, tmp_path: Path) -> None:
    told = killed(tmp_path, kind, 1 if kind == "cluster" else 3)
    assert told["findings"] == 2
