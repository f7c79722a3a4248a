"""The page's section on the nights before: what turned, and how implementations fared, as small charts."""

from collections.abc import Sequence
from dataclasses import dataclass

from eagerdiff.harness.report.words import figure, since, standing, turned, unturned
from eagerdiff.harness.results.past import Point, Standing, State, Trend
from eagerdiff.harness.results.results import Results

WIDTH, HEIGHT, MARGIN = 120.0, 24.0, 2.0


@dataclass(frozen=True)
class Chart:
    """Hold a line over nights, as the points of an SVG polyline, and what it says in words."""

    points: str
    last: str
    """The last figure."""
    said: str
    """Every figure, for who cannot see it."""


@dataclass(frozen=True)
class TrendLine:
    """Hold what the page shows of one implementation's nights."""

    trend: Trend
    cases: Chart
    failures: Chart
    compiling: Chart
    """Compile seconds."""


@dataclass(frozen=True)
class PastSection:
    """Hold what the page shows of the nights before."""

    since: str
    returned: int
    turned: list[tuple[Standing, str]]
    """What tonight brought to another state, with that in words."""
    others: dict[str, int]
    unturned: list[tuple[Standing, str]]
    trends: list[TrendLine]


def past_section(results: Results) -> PastSection | None:
    """Return the section; None where no history was given."""
    if (past := results.past) is None:
        return None
    brought = turned(past)
    return PastSection(
        since=since(past),
        returned=len(past.of(State.RETURNED)),
        turned=[(one, standing(one)) for one in brought],
        others=unturned(past),
        unturned=[(one, standing(one)) for one in past.standings if one not in brought],
        trends=[_line(trend) for trend in past.trends if len(trend.points) > 1],
    )


def _line(trend: Trend) -> TrendLine:
    return TrendLine(
        trend=trend,
        cases=chart(trend.points, [float(one.cases) for one in trend.points], "cases"),
        failures=chart(trend.points, [float(one.failures) for one in trend.points], "failures"),
        compiling=chart(trend.points, [one.compile_seconds for one in trend.points], "s"),
    )


def chart(nights: Sequence[Point], values: Sequence[float], unit: str) -> Chart:
    """Return a chart from 0 to the largest value."""
    top, last = max(values) or 1.0, len(values) - 1
    places = (
        (MARGIN + (WIDTH - 2 * MARGIN) * index / max(last, 1), HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * value / top)
        for index, value in enumerate(values)
    )
    said = "; ".join(f"{night.when[:10]}: {figure(value)} {unit}" for night, value in zip(nights, values, strict=True))
    return Chart(" ".join(f"{x:.1f},{y:.1f}" for x, y in places), f"{figure(values[-1])} {unit}", said)
