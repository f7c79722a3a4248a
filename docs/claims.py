"""Write docs/claims.md from figures: `python -m eagerdiff.suites.claims --json F`, then `python docs/claims.py F`."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from eagerdiff import Metric
from eagerdiff.harness.report.words import figure
from eagerdiff.suites.claims import Claim, claims

PAGE = Path(__file__).with_name("claims.md")
HEAD = """# Claims

What others claim of compilers and caches, measured here: torch {torch}, two cores, no GPU, CPU time of one thread.
`python -m eagerdiff.suites.claims` measures it again ([what is measured](../suites/claims)), a minute or two a claim;
what was measured stands on the nightly page of this machine. `asv run --bench Claims` keeps the history.

| claimed | measured | |
|---|---|---|
"""


def page(figures: dict[str, list[Metric]]) -> str:
    """Return the page of what was measured; raise ValueError where a claim was not."""
    known = claims()
    if missing := sorted(known.keys() - figures.keys()):
        raise ValueError(f"no figures of {', '.join(missing)}: measure every claim")
    rows = [_row(known[name], figures[name]) for name in known]
    parts = ["\n".join(_section(known[name], figures[name])) for name in known]
    return HEAD.format(torch=torch.__version__) + "\n".join(rows) + "\n\n" + "\n\n".join(parts) + "\n"


def _row(claim: Claim, metrics: Sequence[Metric]) -> str:
    answers = claim.answers(metrics)
    measured = "; ".join(f"{_by(one)}: {_value(one)}" for one in answers)
    return f"| [{claim.says}](#{claim.name}) | {measured} | {answers[0].what} |"


def _section(claim: Claim, metrics: Sequence[Metric]) -> Iterator[str]:
    yield f"## {claim.name}"
    yield ""
    yield f"Claimed: {claim.says} ([where]({claim.source}))."
    if claim.twin:
        yield f"The claim is of a GPU. Here: {claim.twin}."
    yield ""
    yield "| what | by | |"
    yield "|---|---|---:|"
    for one in metrics:
        yield f"| {one.what} | {_by(one)} | {_value(one)} |"


def _by(metric: Metric) -> str:
    return f"{metric.by}, {metric.of}" if metric.of else metric.by


def _value(metric: Metric) -> str:
    return f"{figure(metric.value)} {metric.unit}".strip()


if __name__ == "__main__":
    data = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    PAGE.write_text(page({name: [Metric(**one) for one in found] for name, found in data.items()}), encoding="utf-8")
