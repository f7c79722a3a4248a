"""How a search ends: with which exit code, and what is said where it judged nothing that was asked for."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.failure import complain

if TYPE_CHECKING:
    from eagerdiff.harness.results.results import Results, Row


def exit_code(results: "Results", *, implementations: Collection[str] | None = None, all_asked: bool = False) -> int:
    """Return 2 where the harness broke, ended early or did not judge something asked for, 1 for a new finding, else 0.

    A finding that a history calls returned counts as a new one.
    `implementations` are names, or `operator/name`, that were asked for; `all_asked`, that every row was. What was not
    judged is said, one line each. A search that was interrupted, or that something ended, is not held to have judged
    everything.
    """
    for line in results.broken:
        complain(line)
    unjudged = [] if results.interrupted or results.broken else list(_unjudged(results, implementations, all_asked))
    for row in unjudged:
        complain(f"{row.operator} {row.implementation} was never judged: {row.why_unjudged}")
    nothing = not results.totals.cases
    if nothing and not unjudged and not results.broken:
        complain("nothing was judged: " + next((row.why_unjudged for row in results.rows), "there was nothing to run"))
    if unjudged or nothing or results.totals.harness_errors:
        return 2
    worse = results.past is not None and results.past.worse
    return 1 if results.totals.new or worse else 0


def _unjudged(results: "Results", implementations: Collection[str] | None, all_asked: bool) -> "Iterator[Row]":
    judged = {(row.operator, row.implementation) for row in results.rows if row.cases}
    first = {(row.operator, row.implementation): row for row in reversed(results.rows)}
    for (operator, name), row in sorted(first.items()):
        asked = (
            not {name, f"{operator}/{name}"}.isdisjoint(implementations)
            if implementations is not None
            else all_asked and row.can_run and not _is_unsupported(row)
        )
        if asked and (operator, name) not in judged:
            yield row


def _is_unsupported(row: "Row") -> bool:
    """Whether cases were drawn and none was for the implementation."""
    return bool(row.skip_reasons) and not row.problem and not row.harness_errors
