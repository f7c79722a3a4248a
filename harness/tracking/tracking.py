"""Which issue tracks the nights, what it says, and when it is opened, closed and opened again."""

from collections.abc import Sequence
from enum import StrEnum

from eagerdiff.harness.report import summary
from eagerdiff.harness.report.words import plural, standing, turned
from eagerdiff.harness.results.past import Standing
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.sinks.markdown import text
from eagerdiff.harness.tracking.repository import Issue, Repository

LABEL = "eagerdiff"
MARK = "<!-- eagerdiff: tracking issue -->"
"""What tells the issue from others with its label."""
MOST = 60_000
"""Characters of what an issue says: GitHub takes 65,536."""
LINES = 50
"""Most findings of a list."""


class Done(StrEnum):
    """Say what became of the issue."""

    OPENED = "opened"
    REOPENED = "opened again"
    UPDATED = "updated"
    CLOSED = "closed"
    NOTHING = "left alone"


def track(repository: Repository, results: Results, *, label: str = LABEL, run: str = "") -> tuple[Done, Issue | None]:
    """Bring the tracking issue up to a night; return what was done, and the issue if there is one.

    It is opened, or opened again, for a new finding, one that has returned, and a night that the harness broke or that
    judged nothing; and closed by a night that ended as it should when nothing that nights found is left. In between
    each night writes it anew. One that a person closed stays closed until something turns for the worse. `run` is the
    address of the night's run. What turned is a comment, once a night. Raises Refused.
    """
    results.add_up()
    issue = _newest(repository.issues(label))
    is_open = issue is not None and issue.state == "open"
    left = results.past.left if results.past is not None else []
    if not is_open and not _is_worse(results):
        return Done.NOTHING, issue
    title, body = _title(results, left), _body(results, left, run)
    if issue is None:
        return Done.OPENED, repository.open(title, body, label)
    closes = not left and not _is_worse(results) and not results.interrupted
    said, told = _comment(results, closes), _night(results) in (issue.body or "")
    if said and not told:  # first: what is written anew says that this night has been told
        repository.comment(issue, said)
    changed = repository.change(issue, title, body, "closed" if closes else "open")
    return Done.CLOSED if closes else Done.UPDATED if is_open else Done.REOPENED, changed


def _newest(issues: Sequence[Issue]) -> Issue | None:
    """Return the tracking issue: one that is open, else the one made last."""
    ours = [issue for issue in issues if MARK in (issue.body or "")]
    return next((issue for issue in ours if issue.state == "open"), ours[0] if ours else None)


def _is_worse(results: Results) -> bool:
    worse = results.past is not None and results.past.worse
    return bool(results.totals.new or worse or _breaks(results))


def _breaks(results: Results) -> str:
    """Say why a night tells nothing, or too little; empty where it went as it should, or was cut short."""
    if results.totals.harness_errors:
        return plural(results.totals.harness_errors, "harness error")
    return "nothing was judged" if not results.totals.cases and not results.interrupted else ""


def _title(results: Results, left: Sequence[Standing]) -> str:
    count = len(left) if results.past is not None else results.totals.new
    fails = f"{plural(count, 'finding')} of the nights {'fails' if count == 1 else 'fail'}" if count else ""
    return f"eagerdiff: {', '.join(filter(None, (fails, _breaks(results)))) or 'nothing of the nights fails'}"


def _night(results: Results) -> str:
    return f"Night of {text(results.started or 'an unknown date')}"


def _body(results: Results, left: Sequence[Standing], run: str) -> str:
    link = f", [its run]({run})" if run else ""
    about = "Every night writes this anew; a comment says what turned. Closed by hand, it stays so until more breaks."
    parts = [MARK, f"{_night(results)}{link}. {about}"]
    if left:
        parts.append("## Found by nights, not fixed\n\n" + _list(left))
    parts.append(summary(results))
    whole = "\n\n".join(parts)
    if len(whole) <= MOST:
        return whole
    kept = whole[:MOST].rpartition("\n")[0]
    return f"{kept}\n\nCut here: the whole is summary.md of the night's report.\n"


def _comment(results: Results, closes: bool) -> str:
    """Say what turned tonight, and why the issue is closed; empty where there is nothing to tell."""
    came = turned(results.past) if results.past is not None else []
    parts = [_list(came)] if came else []
    if broken := _breaks(results):
        parts.append(f"{broken[0].upper()}{broken[1:]}.")
    if closes:
        parts.append("Nothing that nights found is left: closed.")
    return "\n\n".join([f"{_night(results)}:", *parts]) if parts else ""


def _list(standings: Sequence[Standing]) -> str:
    lines = [
        f"- {text(one.operator)} {text(one.implementation)} {text(one.device)} {text(one.name)}: "
        f"{text(standing(one))}; {text(one.what)}"
        for one in standings[:LINES]
    ]
    more = len(standings) - len(lines)
    return "\n".join([*lines, f"- and {more:,} more"] if more else lines)
