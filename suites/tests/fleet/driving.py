"""A driver in a process of its own, to be killed: `python -m eagerdiff.suites.tests.fleet.driving JSON`."""

import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from eagerdiff.harness import report
from eagerdiff.harness.campaign import Campaign, Progress
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.fleet import Fleet, on_ray
from eagerdiff.harness.fleet.on_ray import Cluster, OnRay
from eagerdiff.harness.following.segments import Mirror, Store
from eagerdiff.suites.tests.crews import setup
from eagerdiff.suites.tests.misbehaving import OPERATOR, SPEC

WRONG = {"wrong", "segfault"}
NAMES = ["right", *sorted(WRONG)]
ENOUGH = "enough"
"""A file in the folder that ends the campaign, once both failures are found."""


class Drive(BaseModel):
    """Say where a campaign is driven, and what with."""

    address: str
    """Of the cluster."""
    folder: Path
    store: str
    """URL of the journal's copy."""
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Of fsspec, to reach the store."""
    examples: str = ""
    """Address of the example database."""
    restore: bool = False
    """Whether to go on where the copy ends."""

    @property
    def journal(self) -> Path:
        """The journal."""
        return self.folder / "journal"


def drive(told: Drive) -> None:
    """Search until it is enough, and write the report and what it holds."""
    on_ray.LOOK_SECONDS = 0.5
    mirror = Mirror(told.journal, Store(told.store, **told.options))
    if told.restore:
        mirror.restore()

    def tell(progress: Progress) -> None:
        if progress.findings >= len(WRONG) and (told.folder / ENOUGH).exists():
            campaign.stop()

    crews = setup(SPEC, OPERATOR.name, examples=told.examples)
    with OnRay(Cluster(address=told.address), crews) as placement, mirror:
        campaign = Campaign(
            load([SPEC]),
            implementations=NAMES,
            budget=3600.0,
            journal=told.journal,
            progress=tell,
            shrink_seconds=5.0,
            workforce=Fleet(placement),
        )
        results = campaign.run()
    results.problems += [mirror.failure] if mirror.failure else []
    report.write(results, told.folder / "report")
    (told.folder / "results").write_text(results.model_dump_json())


if __name__ == "__main__":
    drive(Drive.model_validate_json(sys.argv[1]))
