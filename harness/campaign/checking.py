"""Checking: an operator that a program made, searched from within that program, with each finding's script."""

import atexit
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from eagerdiff.harness import devices
from eagerdiff.harness.campaign.differential import Check, Subject
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.processes import Worker, WorkerPool
from eagerdiff.harness.repro import Writer, write_script


@dataclass(frozen=True)
class Effort:
    """Say how long each way of compiling is searched."""

    examples: int = 12
    """Workloads of a batch."""
    max_cases: int = 12
    """Calls of the longest workload."""
    workloads: int = 1
    """Judged at least, whatever the time."""
    seconds: float = 10.0
    seed: int = 0
    batches: int | None = None
    """Most batches; None goes on until the seconds are over."""
    most: int | None = None
    """Most workloads."""


MOST_POOLS = 2
"""Packages whose processes are kept: each holds torch, and what the module imports."""
_POOLS: dict[str, WorkerPool] = {}
"""Package that was checked → the processes that have imported it, from which workers are forked; the last one last."""


def _pool(module: str, spec: str) -> WorkerPool:
    """Return a pool that has imported a module, or another of its package: checks of one package share it."""
    package = module.partition(".")[0]
    pool = _POOLS.pop(package, None) or WorkerPool([Spec(spec)])
    _POOLS[package] = pool
    while len(_POOLS) > MOST_POOLS:
        _POOLS.pop(next(iter(_POOLS))).close()
    return pool


@atexit.register
def close_pools() -> None:
    """End all processes that checks have started."""
    while _POOLS:
        _POOLS.popitem()[1].close()


class Checking:
    """Search ways of compiling one operator that is the caller's own code."""

    def __init__(self, spec: str, operator: Operator, module: str) -> None:
        """Take how a worker finds the operator (`file.py:ATTRIBUTE`), and the module that it needs imported."""
        self.operator = operator
        self.pool = _pool(module, spec)
        name = operator.name
        self._catalog = Catalog(
            operators={name: operator},
            implementations={name: {one.name: one for one in operator.implementations}},
            specs={spec: [name]},
        )

    def search(self, ways: Sequence[str], effort: Effort, *, slots: int, scripts: Path | None = None) -> list[Check]:
        """Search each way on its first device that is here, so many at once; return them in the same order."""
        with ThreadPoolExecutor(max(1, slots)) as threads:
            return list(threads.map(lambda way: self._search(way, effort, scripts), ways))

    def _search(self, way: str, effort: Effort, scripts: Path | None) -> Check:
        implementation = self._catalog.implementation(self.operator.name, way)
        there = [name for name in devices.default_devices(implementation) if not devices.parse(name).unavailable()]
        device = there[0] if there else implementation.devices[0]
        with Worker(device, worker_pool=self.pool) as worker:
            check = Check(self._catalog, Subject(self.operator.name, way, device), worker)
            if not there:
                check.broken = f"{device} is not available: {devices.parse(device).unavailable()}"
                return check
            self.pool.fork_server(device)  # importing the module is no part of the time
            check.search(
                seed=effort.seed,
                examples=effort.examples,
                max_cases=effort.max_cases,
                batches=effort.batches,
                budget=effort.seconds,
                first=1,
                least=effort.workloads,
                most=effort.most,
            )
            if scripts is not None:
                for finding in check.findings:
                    with Writer(device, self.pool) as writer:
                        write_script(finding, scripts, writer.drafts(check.task, finding))
                    finding.script = finding.script and str(scripts / finding.script)
            return check
