"""Write docs/third-party.md, what became of published packages' kernels: `python docs/third_party.py`."""

from collections import Counter
from pathlib import Path

from eagerdiff.suites.third_party.__main__ import adapters
from eagerdiff.suites.third_party.judged import FINDINGS, Judged, Reading, is_read, readings, results

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
    judged, packages = results(), adapters()
    read = {file.stem: readings(file.stem) for file in sorted(FINDINGS.glob("*.yaml"))}
    kinds = Counter(one.kind for some in read.values() for one in some)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "none"
    head = HEAD.format(kernels=sum(len(kernels) for _, kernels in packages), packages=len(packages), kinds=told)
    rows = [
        _row(
            package.source,
            len(kernels),
            [one for one in judged if one.package == package.module],
            read.get(package.module, []),
        )
        for package, kernels in packages
    ]
    found = [_found(package, one) for package, some in read.items() for one in some]
    unread = [(one, failure) for one in judged if not is_read(one) for failure in one.failures]
    left_out = [(one, one.not_run) for one in judged if one.not_run]
    parts = [*found, *_listed("Not read yet", unread), *_listed("What does not run", left_out)]
    return head + "\n".join(rows) + "\n" + FOUND + "\n".join(parts) + "\n"


def _listed(title: str, told: list[tuple[Judged, str]]) -> list[str]:
    lines = [f"- `{one.package}.{one.kernel}`: {text}" for one, text in told]
    return ["", f"## {title}", "", *lines] if lines else []


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
