"""Write docs/third-party.md, what became of published packages' kernels: `python docs/third_party.py`."""

from collections import Counter
from itertools import groupby
from pathlib import Path

from eagerdiff.suites.third_party.__main__ import adapters
from eagerdiff.suites.third_party.judged import FINDINGS, Judged, Reading, readings, results

PAGE = Path(__file__).resolve().parent / "third-party.md"
HEAD = """# Kernels of published packages

{kernels} Triton kernels of {packages} packages, each held against the PyTorch function that says what it means, with no
GPU: compiled for the processor, every access checked. An adapter is a few lines
([`suites/third_party`](../suites/third_party)); the meanings are a catalog of their own
([`reference/catalog`](../reference/catalog)). `make third-party` checks them all, or
`python -m eagerdiff.suites.third_party PACKAGE`. Written by `python docs/third_party.py` from what that keeps, and from
what was read of each finding: many were met by the search, others in reading the source of a kernel that failed, and
shown by a script. Findings: {kinds}.

| package | kernels | judged by the command | calls | defects | limits | by design | ours, mended |
|---|--:|--:|--:|--:|--:|--:|--:|
"""
FOUND = """
## What was found

| kernel | what it is | what | smallest sizes | script |
|---|---|---|---|---|
"""


def page() -> str:
    """Return the page."""
    judged = [list(group) for _, group in groupby(results(), key=lambda one: one.package)]
    read = {file.stem: readings(file.stem) for file in sorted(FINDINGS.glob("*.yaml"))}
    kinds = Counter(one.kind for some in read.values() for one in some)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "none"
    adapted = [(package, len(kernels)) for package, kernels in adapters()]
    head = HEAD.format(kernels=sum(count for _, count in adapted), packages=len(adapted), kinds=told)
    by_package = {kernels[0].package: kernels for kernels in judged}
    rows = [
        _row(package.source, count, by_package.get(package.module, []), read.get(package.module, []))
        for package, count in adapted
    ]
    found = [_found(package, one) for package, some in read.items() for one in some]
    unread = [f"- `{one.package}.{one.kernel}`: {failure}" for one in _unread(judged, read) for failure in one.failures]
    open_ones = ["", "## Not read yet", "", *unread] if unread else []
    refused = [f"- `{one.package}.{one.kernel}`: {one.not_run}" for kernels in judged for one in kernels if one.not_run]
    left_out = ["", "## What does not run", "", *refused] if refused else []
    return head + "\n".join(rows) + "\n" + FOUND + "\n".join([*found, *open_ones, *left_out]) + "\n"


def _unread(judged: list[list[Judged]], read: dict[str, list[Reading]]) -> list[Judged]:
    """Return kernels that fail, of which no finding is read."""
    known = {(package, name) for package, some in read.items() for one in some for name in one.kernels}
    return [one for kernels in judged for one in kernels if one.failures and (one.package, one.kernel) not in known]


def _row(source: str, adapted: int, kernels: list[Judged], read: list[Reading]) -> str:
    kinds = Counter(one.kind for one in read)
    calls, judged = sum(one.calls for one in kernels), sum(bool(one.calls) for one in kernels)
    counts = (adapted, judged, f"{calls:,}", kinds["defect"], kinds["limit"], kinds["by design"], kinds["ours"])
    return f"| {source} | {' | '.join(map(str, counts))} |"


def _found(package: str, one: Reading) -> str:
    script = f"[`{one.script}`](../suites/corpus/scripts/third_party/{one.script})" if one.script else ""
    known = f" [known]({one.tracker})" if one.tracker else ""
    what = one.what.replace("|", "\\|")
    return f"| `{package}.{one.kernel}` | {one.kind} | {what}{known} | {one.sizes.replace('|', '/')} | {script} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
