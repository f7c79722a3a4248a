"""Small campaigns over operators that misbehave."""

from collections.abc import Callable

from eagerdiff.harness.campaign import Campaign, Progress
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.processes import Limits, WorkerPool
from eagerdiff.suites.tests.misbehaving import SPEC

LIMITS = Limits(memory=1 << 28, case_seconds=2.0, idle_seconds=20.0)


def campaign(worker_pool: WorkerPool, *implementations: str, **options: object) -> Campaign:
    settings = {"budget": 4.0, "slots": 2, "limits": LIMITS, "shrink_seconds": 3.0} | options
    return Campaign(load([SPEC]), implementations=implementations, worker_pool=worker_pool, **settings)  # pyright: ignore[reportArgumentType]


class Stopper:
    """Stop a campaign as soon as something holds."""

    target: Campaign

    def __init__(self, enough: Callable[[Progress], bool]) -> None:
        self.enough = enough

    def __call__(self, told: Progress) -> None:
        if self.enough(told):
            self.target.stop()
