"""The load process: imports plug-ins, and writes down what there is.

It says what it is about to import, so that an import which ends it, or never comes back, is known by name.
"""

import json
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.conformance import misfit_of_build
from eagerdiff.harness.catalog.description import CatalogCard
from eagerdiff.harness.catalog.plugin import from_parent
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.processes.serving import limit_memory

BUILD_SECONDS = 10.0
"""How long a build may take that is only asked for its signature; one that takes longer is left to the judge."""


def main(configuration: str) -> None:
    """Load what `configuration` (JSON) names and write a line of JSON an event to the descriptor that it names."""
    config: dict[str, Any] = json.loads(configuration)
    limit_memory(config["memory"])
    with open(config["channel"], "wb", buffering=0) as channel:

        def announce(label: str, given: str | None) -> None:
            channel.write(json.dumps({"loading": label, "given": given}).encode() + b"\n")

        catalog = load(
            from_parent(config["operators"]),
            from_parent(config["implementations"]),
            misfit=misfit_apart,
            without=config["without"],
            announce=announce,
        )
        channel.write(CatalogCard.of(catalog).model_dump_json().encode() + b"\n")
    os._exit(0)  # what a plug-in registered for the end is nobody's business


def misfit_apart(operator: Operator, implementation: Implementation) -> str | None:
    """Build an implementation in a forked process; return why it does not fit, or None, also where that ends oddly."""
    return _in_a_fork(lambda: misfit_of_build(operator, implementation), BUILD_SECONDS)


def _in_a_fork(ask: Callable[[], str | None], seconds: float) -> str | None:
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            os.close(ours)
            os.write(theirs, (ask() or "").encode(errors="replace")[:4096])
        finally:
            os._exit(0)
    os.close(theirs)
    try:
        _await(pid, seconds)
        return os.read(ours, 4096).decode(errors="replace") or None
    finally:
        os.close(ours)


def _await(pid: int, seconds: float) -> None:
    """Wait for a forked process, and end it where it takes too long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
