"""Pairs of features in the results: which of an operator's were met in calls that were judged, and which were not."""

from collections.abc import Mapping, Set

from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.model.covering import Covering, Pair


class PairsMet(BaseModel):
    """Say which pairs of an operator's features stood in a call that was judged."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    pairs: int
    """How many go together."""
    met: int
    """By any implementation."""
    by_implementation: dict[str, int] = Field(default_factory=dict[str, int])
    """What an implementation does not support it does not meet."""
    missing: list[str] = Field(default_factory=list[str])
    """Those that none met: `dtype=float32, ties=yes`."""

    @classmethod
    def of(cls, operator: str, covering: Covering, met: Mapping[str, Set[Pair]]) -> "PairsMet":
        """Count the pairs that implementations met."""
        wanted = frozenset(covering.pairs)
        anyone = frozenset[Pair]().union(*met.values())
        return cls(
            operator=operator,
            pairs=len(wanted),
            met=len(wanted & anyone),
            by_implementation={name: len(wanted & pairs) for name, pairs in met.items()},
            missing=[", ".join(pair) for pair in covering.pairs if pair not in anyone],
        )
