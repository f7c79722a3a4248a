"""Words and figures as the reports print them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from string import ascii_letters

from eagerdiff.harness.model.metric import Metric
from eagerdiff.harness.results.past import Past, Standing, State
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.results.unseen import Unseen
from eagerdiff.harness.triage.classification import Class


def headline(results: Results) -> str:
    """Say in one line what a reader wants to know first."""
    totals = results.totals
    returned = len(results.past.of(State.RETURNED)) if results.past is not None else 0
    worse = [plural(totals.new, "new finding")] * bool(totals.new) + [f"{returned:,} returned"] * bool(returned)
    new = ", ".join(worse) or ("Nothing new" if totals.cases else "Nothing was judged")
    ended = ", interrupted" if results.interrupted else ""
    broken = f"; {plural(totals.harness_errors, 'harness error')}" if totals.harness_errors else ""
    judged = f"{totals.cases:,} cases, {totals.workloads:,} workloads, " if totals.cases else ""
    what = f"{judged}{duration(results.elapsed)}{ended}"
    flaky = sum(finding.flaky for finding in results.findings)
    said = f"; {flaky} flaky" if flaky else ""
    if results.past is not None and (fixed := len(results.past.of(State.FIXED))):
        said += f"; {fixed:,} fixed"
    return f"{new} in {what}{said}{broken}{_judged(results)}"


def shortened(text: str, most: int = 150) -> str:
    """Return at most so many characters of a text, cut between words where there are several."""
    if len(text) <= most:
        return text
    head, _, cut = text[: most - 2].rpartition(" ")
    return f"{(head or cut).rstrip(' -.,;:')} …"


def lettered(reasons: Iterable[str]) -> dict[str, tuple[str, int]]:
    """Return what stands for each reason, and how often it is given, the most frequent first: a to Z, then a1 to Z1."""
    return {reason: (_letter(at), count) for at, (reason, count) in enumerate(Counter(reasons).most_common())}


def _letter(at: int) -> str:
    turn, place = divmod(at, len(ascii_letters))
    return ascii_letters[place] + (str(turn) if turn else "")


def is_calm(results: Results) -> bool:
    """Say whether a reader may be at ease: something was judged to the end, nothing broke, and nothing is new."""
    totals = results.totals
    worse = totals.new or (results.past is not None and results.past.worse)
    return bool(totals.cases) and not (worse or results.interrupted or totals.harness_errors or results.broken)


def _judged(results: Results) -> str:
    """Say how many of the implementations that can run here were judged; empty where there is one, and it was."""
    able = len({(row.operator, row.implementation) for row in results.rows if row.can_run})
    judged = able - len(results.never_judged)
    if able == judged <= 1:
        return ""
    return f"; {judged:,} of {plural(able, 'implementation')} that can run here judged"


def plural(count: int, noun: str, ending: str = "s") -> str:
    """Write a count with its noun: 1 harness error, 2 harness errors."""
    return f"{count:,} {noun}{ending * (count != 1)}"


def duration(seconds: float) -> str:
    """Write a duration as a person says it: 42 s, 5 min 3 s, 1 h 2 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def share(part: int, whole: int) -> str:
    """Write a share as a percentage with one digit, what is less as such; a dash where there is no whole."""
    if 0 < part < whole / 2000:
        return "< 0.1 %"
    return f"{100 * part / whole:.1f} %" if whole else "–"


def figure(value: float) -> str:
    """Write a figure as long as it need be: 0.0312, 3.1, 312.0, 31,200."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 1 or not value else f"{value:.3g}"


def by_class(results: Results) -> str:
    """Say how many findings there are of each class, in the classes' order: `wrong value 2, crash 1`; may be empty."""
    counts = Counter(finding.defect for finding in results.findings)
    return ", ".join(f"{name.value} {counts[name]}" for name in Class if counts[name])


def failing(row: Row) -> str:
    """Say what of a row failed that has no entry of its own, in one line; empty where every failure has one."""
    return "; ".join(f"{cause.failures} × {cause}" for cause in row.same_cause)


def figures(row: Sequence[Metric]) -> str:
    """Write a row of metrics: 31.0, or 4 experts: 67.0, 64 experts: 667.0."""
    return ", ".join(f"{one.of}: {figure(one.value)}" if one.of else figure(one.value) for one in row)


def some(names: Sequence[str], most: int = 4) -> str:
    """Write the first of some names, and how many more there are."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def since(past: Past) -> str:
    """Say in one line what differs from the night before; what there is to say where nothing does."""
    if not past.before:
        return "the first night of this history"
    changed = ", ".join(map(str, past.changed)) or "the environment is the same"
    return f"since the night of {past.before[:10]} ({plural(past.nights, 'night')} before): {changed}"


def standing(one: Standing) -> str:
    """Say how a finding stands and since when, and what changed when it came to that, in one line."""
    changed = f" ({', '.join(map(str, one.changed))})" if one.changed else ""
    seen = "" if one.tonight else f", last seen {one.last_seen[:10]}"
    return f"{one.state.value} since {one.since[:10]}{changed}{seen}"


def turned(past: Past) -> list[Standing]:
    """Return the findings that tonight brought to another state."""
    return [one for one in past.standings if one.turned]


def unturned(past: Past) -> dict[str, int]:
    """Return how many other findings there are in each state, and how many of them tonight did not come to."""
    left = [one for one in past.standings if not one.turned]
    counts = Counter(one.state.value for one in left)
    return {**counts, **({"not seen tonight": unseen} if (unseen := sum(not one.tonight for one in left)) else {})}


def left_to_find(one: Unseen) -> str:
    """Say how many causes were met, and what that tells of those that were not."""
    met = f"{plural(one.causes, 'cause')} of failures in {plural(one.workloads, 'workload')}, {one.once:,} met once"
    if not one.once:
        return f"{met}: what this search reaches, it has likely met"
    rate = f"one workload in {1 / one.next_is_new:.0f} meets a new one, {one.an_hour:.0f} an hour at first"
    return f"{met}: {one.at_least:,} more at least; {rate}"
