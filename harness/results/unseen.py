"""Unseen: how many causes of failures a search has not met yet, estimated by how often it met the others.

A search samples causes as a naturalist samples species (Böhme 2018, "STADS: Software Testing as Species Discovery",
arXiv 1803.02130): those that were met in one workload alone tell of those that were met in none.
"""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field


class Unseen(BaseModel):
    """Count the causes that were met of one operator, known ones too, by the drawn workloads that met them."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    workloads: int
    """Workloads that were drawn and judged; those of shrinking are none."""
    seconds: float
    """Of wall clock: the whole search's, in which other operators were searched too."""
    causes: int
    once: int
    """Causes that one workload met."""
    twice: int
    met: dict[str, int] = Field(default_factory=dict[str, int])
    """Cause → workloads that met it, by which reports are added up; an older report does not say."""

    @classmethod
    def of(cls, operator: str, workloads: int, seconds: float, met: Mapping[str, int]) -> "Unseen":
        """Count causes, by name, each by how many workloads met it."""
        counts = list(met.values())
        return cls(
            operator=operator,
            workloads=workloads,
            seconds=round(seconds, 1),
            causes=len(counts),
            once=counts.count(1),
            twice=counts.count(2),
            met=dict(met),
        )

    @property
    def at_least(self) -> int:
        """Return a lower bound of the causes that were not met (Chao 1984, without bias: Chao 2005)."""
        return round(self.once * (self.once - 1) / (2 * (self.twice + 1)))

    @property
    def next_is_new(self) -> float:
        """Return the probability that the next workload meets a cause that none has met (Good 1953)."""
        return self.once / self.workloads if self.workloads else 0.0

    @property
    def an_hour(self) -> float:
        """Return how many causes an hour more would add, as the search goes now: the rate falls as it goes on."""
        return 3600 * self.once / self.seconds if self.seconds else 0.0
