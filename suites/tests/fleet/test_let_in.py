"""Who has a wrong password or token, or none, gets nothing of a fleet: real Redis, real Ray."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eagerdiff.harness.search.examples import Examples
from eagerdiff.suites.tests.fleet.kills import Server, free_port, redis_server

pytest.importorskip("ray", reason="needs Ray: make test-fleet")
JOIN = """
from eagerdiff.harness.fleet.on_ray import Cluster, OnRay, RayError
from eagerdiff.suites.tests.crews import setup
from eagerdiff.suites.tests.misbehaving import OPERATOR, SPEC
try:
    with OnRay(Cluster(address="{address}"), setup(SPEC, OPERATOR.name)) as placement:
        print("let in", placement.hire()[0].hello.build)
except RayError as error:
    print("refused", error)
"""


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Server]:
    if shutil.which("redis-server") is None:
        pytest.skip("needs redis-server: apt-get install redis-server")
    server = Server(redis_server, tmp_path)
    yield server
    server.kill()


def kept(known: Examples) -> list[bytes]:
    """Keep an example, and return what is there."""
    lent = known.of("name", saves=lambda: True, forgets=lambda: True)
    lent.save(b"key", b"value")
    return list(lent.fetch(b"key"))


@pytest.mark.parametrize("password", [":wrong@", ""])
def test_a_redis_with_a_password_keeps_nothing_for_who_does_not_know_it(redis: Server, password: str) -> None:
    assert kept(Examples(f"redis://:secret@127.0.0.1:{redis.port}/0")) == [b"value"]
    known = Examples(f"redis://{password}127.0.0.1:{redis.port}/0")
    assert kept(known) == []
    assert known.problem.endswith("AuthenticationError")
    assert "wrong" not in known.problem


def test_no_tls_where_it_is_asked_for_is_no_connection(redis: Server) -> None:
    known = Examples(f"rediss://:secret@127.0.0.1:{redis.port}/0")
    assert kept(known) == []
    assert known.problem


@pytest.fixture(scope="module")
def guarded() -> Iterator[str]:
    """Start a cluster that asks for a token, and return its address."""
    port = free_port()
    environ = os.environ | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "right" * 8}
    command = [str(Path(sys.executable).parent / "ray"), "start", "--head", f"--port={port}", "--num-cpus=1"]
    command.append("--include-dashboard=false")
    started = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert started.returncode == 0, started.stderr
    yield f"127.0.0.1:{port}"
    subprocess.run([command[0], "stop", "--force"], env=environ, capture_output=True)


def joined(address: str, token: str | None) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")}
    if token is not None:
        environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token}
    began = time.monotonic()
    command = [sys.executable, "-c", JOIN.format(address=address)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=300)
    assert time.monotonic() - began < 290
    return done.stdout + done.stderr[-500:]


def test_a_cluster_with_a_token_lets_in_who_has_it(guarded: str) -> None:
    assert joined(guarded, "right" * 8).startswith("let in")


@pytest.mark.parametrize("token", ["wrong" * 8, None])
def test_a_cluster_with_a_token_does_nothing_for_who_has_not(guarded: str, token: str | None) -> None:
    told = joined(guarded, token)
    assert told.startswith(f"refused no Ray cluster at {guarded}")
    assert "InvalidAuthToken" in told
    assert "rightright" not in told
