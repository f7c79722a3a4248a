"""Closeness: how near to their limits the cases come that pass, and how their error stands to eager's own."""

from collections import Counter
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

LIMITS = {"0": 0.0, "1 %": 0.01, "10 %": 0.1, "30 %": 0.3, "60 %": 0.6, "100 %": 1.0}
"""Of what is allowed: a bin's name is the most that is in it."""
TIMES = {"0": 0.0, "½ ×": 0.5, "1 ×": 1.0, "2 ×": 2.0, "4 ×": 4.0, "more": float("inf")}
"""Of eager's own error, against float64."""
EXACT = "eager 0"
"""Where eager has no error, and the case has one."""


class Closeness(BaseModel):
    """Count cases with floating-point outputs that passed; of a case, the output that came nearest to its limit."""

    model_config = ConfigDict(extra="forbid")

    limit: dict[str, int] = Field(default_factory=dict)
    """Share of what is allowed, in bins → cases."""
    eager: dict[str, int] = Field(default_factory=dict)
    """RMSE against float64, as a multiple of eager's, in bins → cases."""

    def count(self, numbers: Mapping[str, float]) -> None:
        """Count a case by what the judge measured: `excess`, `rmse`, `eager_rmse`; where nothing, not at all."""
        if "excess" not in numbers:
            return
        _count(self.limit, _bin(numbers["excess"], LIMITS))
        rmse, eager = numbers["rmse"], numbers["eager_rmse"]
        _count(self.eager, EXACT if rmse and not eager else _bin(rmse / eager if rmse else 0.0, TIMES))

    def add(self, other: "Closeness") -> None:
        """Add another's counts."""
        self.limit = dict(Counter(self.limit) + Counter(other.limit))
        self.eager = dict(Counter(self.eager) + Counter(other.eager))

    @property
    def cases(self) -> int:
        """How many were counted."""
        return sum(self.limit.values())


def _bin(value: float, bins: Mapping[str, float]) -> str:
    """Return the first bin that holds a value, the last for what is above all of them."""
    return next((name for name, most in bins.items() if value <= most), list(bins)[-1])


def _count(histogram: dict[str, int], key: str) -> None:
    histogram[key] = histogram.get(key, 0) + 1
