"""Cases of code that was drawn: sizes by symbol, and what its tensors are like."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from hypothesis import strategies as st
from pydantic import field_validator

from eagerdiff import Case, dynamic, static
from eagerdiff.strategies.layouts import LAYOUTS
from eagerdiff.strategies.programs.tensors import FILLS
from eagerdiff.strategies.sizes import sizes

_LARGEST = 33
MOST_EXAMPLES = 15
"""Examples that an export may be drawn with besides the usual one; the last one's sizes may be 0 and 1."""
NUMBERS = (1.0, 0.5, 2.0, -1.0, 0.0, 3.0, -0.25)
"""Python floats that are drawn."""
_FILLS = ("normal", "normal", "normal", "integers", "sorted", "zeros", "special", "extreme")
_LAYOUTS = ("contiguous", "contiguous", "contiguous", *LAYOUTS)


class SizedCase(Case):
    """Describe one call of drawn code."""

    settings: tuple[str, ...] | None = static(None)
    """Names of the compiler's drawn settings that are kept, where a way of compiling draws any; None keeps them all."""
    example: int = static(0)
    """Which of the examples that can be drawn for the code it is exported with."""
    sizes: dict[str, int] = dynamic(default_factory=dict)
    """Value by symbol; a Python integer that is an argument is a symbol too."""
    layouts: tuple[str, ...] = dynamic(())
    """Memory layout by tensor; contiguous where there is none."""
    fills: tuple[str, ...] = dynamic(())
    """What the values are like, by tensor; normal where there is none."""
    numbers: tuple[float, ...] = dynamic(())
    """Values of the Python numbers among the arguments that follow no size, in order; 1.0 where there is none."""

    @field_validator("layouts")
    @classmethod
    def _known_layouts(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known(names, LAYOUTS, "layout")

    @field_validator("fills")
    @classmethod
    def _known_fills(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known(names, FILLS, "fill")

    def layout(self, tensor: int) -> str:
        """Return the layout of a tensor by number."""
        return self.layouts[tensor] if tensor < len(self.layouts) else "contiguous"

    def fill(self, tensor: int) -> str:
        """Return what the values of a tensor are like, by number."""
        return self.fills[tensor] if tensor < len(self.fills) else "normal"


SizedCaseT = TypeVar("SizedCaseT", bound=SizedCase)


def _known(names: tuple[str, ...], known: tuple[str, ...], what: str) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise ValueError(f"unknown {what} {name!r}: use one of {', '.join(known)}")
    return names


def layouts(count: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw layouts of some tensors, contiguous ones first."""
    return st.tuples(*(st.sampled_from(_LAYOUTS) for _ in range(count)))


def fills(count: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw what the values of some tensors are like."""
    return st.tuples(*(st.sampled_from(_FILLS) for _ in range(count)))


@st.composite
def changes(draw: st.DrawFn, count: int) -> dict[str, object]:
    """Draw what a further call has of its own: a seed, now and then layouts or values of its `count` tensors."""
    changed: dict[str, object] = {"seed": draw(seeds())}
    if draw(st.integers(0, 5)) == 5:
        changed["layouts"] = draw(layouts(count))
    if draw(st.integers(0, 2)) == 2:
        changed["fills"] = draw(fills(count))
    return changed


def seeds() -> st.SearchStrategy[int]:
    """Draw a seed of the tensors."""
    return st.integers(0, 2**16 - 1)


@st.composite
def fitting_sizes(
    draw: st.DrawFn,
    floors: Mapping[str, int],
    before: Mapping[str, int] | None,
    otherwise: Mapping[str, int],
    fits: Callable[[Mapping[str, int]], bool],
) -> dict[str, int]:
    """Draw sizes that fit, from their floors on: all of them, or all but one as `before`.

    Where a few draws fit not: those before, or the other ones.
    """
    kept = draw(st.sampled_from(("", *floors))) if before else ""
    for most in (_LARGEST, 9, 3):
        found = {
            symbol: before[symbol]
            if before is not None and kept and symbol != kept
            else draw(sizes(min_value=floor, max_value=max(most, floor)))
            for symbol, floor in floors.items()
        }
        if fits(found):
            return found
    return dict(otherwise if before is None else before)
