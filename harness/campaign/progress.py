"""Progress: what a running campaign tells its caller."""

from collections.abc import Sequence
from dataclasses import dataclass

from eagerdiff.harness.campaign.events import CrewAt


@dataclass(frozen=True)
class Progress:
    """Tell where a campaign stands, after each workload."""

    operator: str
    implementation: str
    device: str
    cases: int
    """Judged so far, over everything."""
    workloads: int
    compiles: int
    findings: int
    """Groups so far."""
    skipped: int
    seconds_left: float
    crews: Sequence[CrewAt] = ()
    """The machines of a fleet, as they stood some seconds ago."""
    shrinking: bool = False
    """Whether this workload was run to make a finding smaller."""
