"""Write docs/third-party.md, what became of published packages' kernels: `python docs/third_party.py`."""

from collections import Counter
from itertools import groupby
from pathlib import Path

from eagerdiff.suites.third_party.judged import Judged, Reading, readings, results

PAGE = Path(__file__).resolve().parent / "third-party.md"
HEAD = """# Kernels of published packages

{kernels} Triton kernels of {packages} packages, each held against the PyTorch function that says what it means, with no
GPU: compiled for the processor, every access checked. An adapter is a few lines
([`suites/third_party`](../suites/third_party)); the meanings are a catalog of their own
([`reference/catalog`](../reference/catalog)). `make third-party` checks them all, or
`python -m eagerdiff.suites.third_party PACKAGE`. Written by `python docs/third_party.py` from what that keeps, and from
what was read of each finding. Findings: {kinds}.

| package | kernels | calls judged | defects | limits | by design | not run |
|---|---|---|---|---|---|---|
"""
FOUND = """
## What was found

| kernel | what it is | what | smallest sizes | script |
|---|---|---|---|---|
"""


def page() -> str:
    """Return the page."""
    judged = [list(group) for _, group in groupby(results(), key=lambda one: one.package)]
    read = {kernels[0].package: readings(kernels[0].package) for kernels in judged}
    kinds = Counter(one.kind for some in read.values() for one in some)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "none"
    head = HEAD.format(kernels=sum(map(len, judged)), packages=len(judged), kinds=told)
    rows = [_row(kernels, read[kernels[0].package]) for kernels in judged]
    found = [_found(package, one) for package, some in read.items() for one in some]
    refused = [f"- `{one.package}.{one.kernel}`: {one.not_run}" for kernels in judged for one in kernels if one.not_run]
    left_out = ["", "## What does not run", "", *refused] if refused else []
    return head + "\n".join(rows) + "\n" + FOUND + "\n".join([*found, *left_out]) + "\n"


def _row(kernels: list[Judged], read: list[Reading]) -> str:
    kinds = Counter(one.kind for one in read)
    calls, refused = sum(one.calls for one in kernels), sum(bool(one.not_run) for one in kernels)
    counts = (len(kernels), calls, kinds["defect"], kinds["limit"], kinds["by design"], refused)
    return f"| {kernels[0].source} | {' | '.join(map(str, counts))} |"


def _found(package: str, one: Reading) -> str:
    script = f"[`{one.script}`](../suites/corpus/scripts/third_party/{one.script})" if one.script else ""
    known = f" [known]({one.tracker})" if one.tracker else ""
    what = one.what.replace("|", "\\|")
    return f"| `{package}.{one.kernel}` | {one.kind} | {what}{known} | {one.sizes.replace('|', '/')} | {script} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
