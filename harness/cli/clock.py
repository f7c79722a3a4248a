"""The clock of a run: one budget for replay, metrics, search and scripts; start-up comes before it."""

import time
from dataclasses import dataclass, field

REPLAY = 0.15
"""Share of the budget after which no kept finding is run again."""
SEARCH = 0.9
"""Share of the budget after which the search ends and scripts are verified."""
LEAST = 0.5
"""Share of the budget that the search has in any case: a kept finding may take long to run again."""
OVERTIME = 60.0
"""Seconds after the budget in which one script of each new cause may still be verified."""


@dataclass(frozen=True)
class Clock:
    """Share a budget out between the parts of a run, each of which ends by itself."""

    budget: float
    """Seconds of wall clock, from the end of the start-up on."""
    began: float = field(default_factory=time.monotonic)
    late: float = OVERTIME
    """Seconds after the budget in which scripts of new causes may still be verified."""

    def left(self, share: float = 1.0) -> float:
        """Return the seconds until a share of the budget is used up; negative once it is."""
        return self.began + share * self.budget - time.monotonic()

    def search(self) -> float:
        """Return the seconds that are the search's from now on."""
        return max(self.left(SEARCH), LEAST * self.budget)

    def overtime(self) -> float:
        """Return the seconds until scripts of new causes may not be verified any more either."""
        return self.left() + self.late
