"""Write docs/kv-managers.md from docs/kv-managers.json: `python docs/kv_managers.py [COUNTS …]` adds counts first.

`python -m eagerdiff.suites.benchmarks.managing` writes counts, one file a manager and revision.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "docs" / "kv-managers.json"
PAGE = ROOT / "docs" / "kv-managers.md"


class Count(BaseModel, extra="ignore"):
    """Hold what one file of counts says."""

    manager: str
    revision: str
    traces: int
    steps: int
    seconds: float
    findings: dict[str, int]


class Finding(BaseModel, extra="forbid"):
    """Say what a kind of failure of a revision is."""

    manager: str
    revision: str
    kind: str
    """Part of the message, its numbers left out."""
    verdict: str
    says: str
    link: str = ""
    script: str = ""


class Record(BaseModel, extra="forbid"):
    """Hold all that the page says in figures."""

    counts: list[Count]
    findings: list[Finding]


def read() -> Record:
    """Return what is kept; raises pydantic's error where it is not of that form."""
    return Record.model_validate_json(RECORD.read_text())


def take(paths: Sequence[Path]) -> None:
    """Put counts in the place of earlier ones over the same revision, where they are of more traces."""
    record = read()
    kept = {(one.manager, one.revision): one for one in record.counts}
    for path in paths:
        new = Count.model_validate_json(path.read_text())
        old = kept.get((new.manager, new.revision))
        if old is None or old.traces <= new.traces:
            kept[new.manager, new.revision] = new
    record.counts = sorted(kept.values(), key=lambda one: (one.manager, one.revision))
    RECORD.write_text(json.dumps(record.model_dump(), indent=1) + "\n")


def unread(record: Record) -> list[str]:
    """Return the failures that nobody has said anything of."""
    return [
        f"{count.manager} {count.revision}: {kind}"
        for count in record.counts
        for kind in count.findings
        if _said(record, count, kind) is None
    ]


def page(text: str, record: Record) -> str:
    """Return the page with its tables written anew."""
    for name, rows in (("counts", _counts(record)), ("findings", _findings(record))):
        start, end = f"<!-- {name}: written by docs/kv_managers.py -->\n", "<!-- end -->"
        head, rest = text.split(start)
        text = head + start + "\n".join(rows) + "\n" + end + rest.split(end, 1)[1]
    return text


def _counts(record: Record) -> Iterator[str]:
    yield "| manager | revision | traces | steps | traces a second of a processor | traces that failed |"
    yield "|---|---|---:|---:|---:|---:|"
    for one in record.counts:
        failed = sum(one.findings.values())
        yield (
            f"| `{one.manager}` | {one.revision} | {one.traces:,} | {one.steps:,} "
            f"| {one.traces / one.seconds:.0f} | {failed:,} |"
        )


def _findings(record: Record) -> Iterator[str]:
    yield "| manager | revision | fails | traces | said of it |"
    yield "|---|---|---|---:|---|"
    for count in record.counts:
        for kind, traces in sorted(count.findings.items(), key=lambda item: -item[1]):
            said = _said(record, count, kind)
            assert said is not None, f"{kind} of {count.manager} {count.revision} is not read"
            script = f" [`{said.script}`](../suites/corpus/scripts/third_party/{said.script}.py)" if said.script else ""
            link = f" [public]({said.link})" if said.link else ""
            words = kind.replace("|", "\\|")
            what = f"**{said.verdict}** {said.says}{link}{script}"
            yield f"| `{count.manager}` | {count.revision} | {words} | {traces} | {what} |"


def _said(record: Record, count: Count, kind: str) -> Finding | None:
    fitting = (
        one
        for one in record.findings
        if (one.manager, one.revision) == (count.manager, count.revision) and one.kind in kind
    )
    return next(fitting, None)


if __name__ == "__main__":
    take([Path(argument) for argument in sys.argv[1:]])
    PAGE.write_text(page(PAGE.read_text(), read()))
