"""Kernels in the results: what was reached of their source, over all implementations of an operator."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel

from eagerdiff.harness.model.kernel_coverage import Places, add_places

if TYPE_CHECKING:
    from eagerdiff.harness.results.results import Row


class KernelLine(BaseModel):
    """Hold a line of the table: a function of a kernel."""

    operator: str
    kernel: str
    places: Places

    @property
    def states(self) -> int:
        """How many states its branches, loops, flags and launches have."""
        return sum(len(states) for states in self._counted.values())

    @property
    def reached(self) -> int:
        """How many of these were reached."""
        return sum(sum(states.values()) for states in self._counted.values())

    @property
    def missing(self) -> dict[str, list[str]]:
        """Place → what of it was not reached."""
        found = {
            place: [state for state, reached in states.items() if not reached]
            for place, states in self._counted.items()
        }
        return {place: states for place, states in found.items() if states}

    @property
    def met(self) -> dict[str, list[str]]:
        """Constants and configurations of which nobody says which there are → those that were met."""
        return {place: list(states) for place, states in self.places.items() if place not in self._counted}

    @property
    def _counted(self) -> Places:
        """Places whose states are known beforehand: all but numbers, texts and configurations."""
        named = {"True", "False"}
        return {
            place: states
            for place, states in self.places.items()
            if not place.startswith(("constexpr ", "configuration")) or set(states) == named
        }


def kernel_lines(rows: "Iterable[Row]") -> list[KernelLine]:
    """Return a line an operator and kernel, what was reached by any implementation taken together."""
    found: dict[str, dict[str, Places]] = {}
    for row in rows:
        if row.kernels:
            add_places(found.setdefault(row.operator, {}), row.kernels)
    return [
        KernelLine(operator=operator, kernel=kernel, places=places)
        for operator, kernels in found.items()
        for kernel, places in kernels.items()
    ]
