"""How near to their limits the cases come that pass: by operator, and the implementations that come nearest."""

from collections.abc import Mapping
from dataclasses import dataclass

from eagerdiff.harness.results.closeness import EXACT, LIMITS, TIMES, Closeness
from eagerdiff.harness.results.results import Results, Row

MOST = 12


@dataclass(frozen=True)
class Bin:
    """Hold one bin of a histogram."""

    cases: int
    share: float
    """Of the line's cases."""
    heat: int
    """0 (nothing) to 4 (most of them)."""


@dataclass(frozen=True)
class Histogram:
    """Hold one line a name, one column a bin."""

    bins: list[str]
    lines: dict[str, list[Bin]]


@dataclass(frozen=True)
class Near:
    """Hold an implementation of which cases come near to their limit."""

    row: Row
    cases: int
    """Beyond NEAR of what is allowed."""
    share: float


@dataclass(frozen=True)
class Section:
    """Hold what the page shows."""

    limit: Histogram
    eager: Histogram
    nearest: list[Near]


def closeness_of(results: Results) -> Section | None:
    """Return the histograms of all operators; None where no case with floating-point outputs passed."""
    by_operator: dict[str, Closeness] = {}
    for row in results.rows:
        if row.closeness.cases:
            by_operator.setdefault(row.operator, Closeness()).add(row.closeness)
    if not by_operator:
        return None
    return Section(
        _histogram(list(LIMITS), {name: one.limit for name, one in by_operator.items()}),
        _histogram([*TIMES, EXACT], {name: one.eager for name, one in by_operator.items()}),
        sorted(_near(results), key=lambda near: (-near.share, -near.cases))[:MOST],
    )


def _histogram(bins: list[str], counts: Mapping[str, Mapping[str, int]]) -> Histogram:
    return Histogram(
        bins, {name: [_bin(one.get(key, 0), sum(one.values())) for key in bins] for name, one in counts.items()}
    )


def _bin(cases: int, of: int) -> Bin:
    share = cases / of
    return Bin(cases, share, min(4, 1 + int(5 * share)) if cases else 0)


def _near(results: Results) -> list[Near]:
    last = list(LIMITS)[-1]
    counted = ((row, row.closeness.limit.get(last, 0)) for row in results.rows)
    return [Near(row, cases, cases / row.closeness.cases) for row, cases in counted if cases]
