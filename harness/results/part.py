"""A part: one report of those that were added up to another."""

from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from eagerdiff.harness.results.results import Results


class Part(BaseModel):
    """Say which report it was, what drew it, and what came of it."""

    model_config = ConfigDict(extra="forbid")

    name: str
    shard: str = ""
    """Which part of its campaign it drew, `2/4`; empty for the whole."""
    seed: int
    machine: str
    """Platform, cores and GPU."""
    started: str
    """ISO 8601, UTC."""
    elapsed: float
    """Seconds of wall clock."""
    cases: int
    findings: int
    interrupted: bool = False

    @classmethod
    def of(cls, name: str, results: "Results") -> Self:
        """Sum up a report."""
        told = results.environment
        return cls(
            name=name,
            shard=results.shard,
            seed=results.seed,
            machine=" · ".join(
                part
                for part in (
                    told.get("platform", ""),
                    f"{told['cores']} cores" if "cores" in told else "",
                    told.get("gpu", "none").replace("none", ""),
                )
                if part
            ),
            started=results.started,
            elapsed=results.elapsed,
            cases=results.totals.cases,
            findings=results.totals.findings,
            interrupted=results.interrupted,
        )
