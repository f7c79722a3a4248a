"""The page of a campaign that runs: how far it is, what it found, and who works on it."""

from eagerdiff.harness.following.follower import Followed
from eagerdiff.harness.report.templates import template
from eagerdiff.harness.report.words import duration, plural
from eagerdiff.harness.sinks import html

AGAIN_SECONDS = 5
"""After how long a browser asks again."""
QUIET_SECONDS = 120.0
"""Without a line; then it is said that nothing moves."""
MOST_FINDINGS = 100
"""That are shown, the latest."""
MOST_TARGETS = 400


def watch_page(state: Followed, now: float, problem: str = "") -> str:
    """Return the page as HTML; `now` is in seconds since 1970, `problem` why the journal could not be read."""
    lines = sorted(state.targets.items(), key=lambda item: -item[1].time)
    most = max((cases for _, cases in state.pace), default=0)
    return template("watch.html.j2").render(
        headline=headline(state),
        state=state,
        problem=problem,
        quiet=duration(now - state.time) if state.time and now - state.time > QUIET_SECONDS else "",
        lines=lines[:MOST_TARGETS],
        more=max(0, len(lines) - MOST_TARGETS),
        totals={
            name: sum(getattr(line, name) for line in state.targets.values())
            for name in ("workloads", "compiles", "failures", "skipped")
        },
        findings=state.findings[: -MOST_FINDINGS - 1 : -1],
        unshown=max(0, len(state.findings) - MOST_FINDINGS),
        pace=[(minute, cases, round(100 * cases / most) if most else 0) for minute, cases in state.pace],
        ago=lambda at: duration(max(0.0, now - at)) if at else "",
        duration=duration,
        policy=html.policy(""),
        again=AGAIN_SECONDS,
    )


def headline(state: Followed) -> str:
    """Say in one line how far it is."""
    if state.began is None:
        return "No campaign has begun"
    found = plural(len(state.findings), "finding")
    left = max(0.0, state.began.budget - state.searched)
    time = f"{duration(left)} left" if state.began.budget else f"{duration(state.searched)} of search"
    return f"{found} in {plural(state.cases, 'case')}, {time}"
