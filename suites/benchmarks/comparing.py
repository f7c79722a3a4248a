"""What share of drawn calls each way of compiling compares with eager, and by which rule the rest is not.

`python -m eagerdiff.suites.benchmarks.comparing programs export.named dynamo.mark_dynamic ...` draws the same
workloads for every way, from one seed, runs each in a process of its own, and prints a line a way and one a reason.
"""

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from eagerdiff import (
    Batch,
    Implementation,
    Operator,
    Outcome,
    Status,
    Verdict,
    Workload,
    execute,
    parse_device,
    rule_of,
)

from .sampling import forked
from .subjects import catalog

WORKLOADS = int(os.environ.get("EAGERDIFF_WORKLOADS", "150"))
CALLS = int(os.environ.get("EAGERDIFF_CALLS", "6"))
"""Of a workload at most."""
SEED = int(os.environ.get("EAGERDIFF_SEED", "18"))
SECONDS = int(os.environ.get("EAGERDIFF_SECONDS", "60"))
"""After which a workload's process is ended."""
UNJUDGED = (Status.SKIPPED, Status.HARNESS_ERROR)
REST = "the build failed"
"""Why the calls after a failure are not made."""


def drawn(operator: Operator) -> list[Workload]:
    """Draw workloads, whatever the ways of compiling say of them."""
    found: list[Workload] = []

    def collect(workload: Workload) -> Outcome:
        found.append(workload)
        return Outcome(verdicts=[])

    first = next(iter(catalog().implementations[operator.name].values()))
    anything = replace(first, supports=lambda case: None, excuses=())
    Batch(operator, anything, "cpu", campaign_seed=SEED, examples=WORKLOADS, max_cases=CALLS).explore(collect)
    return found


def verdicts(operator: Operator, way: Implementation, workload: Workload) -> list[Verdict]:
    """Run a workload in a process of its own, in this one's device."""

    def run() -> list[dict[str, Any]]:
        signal.alarm(SECONDS)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        outcome = execute(operator, way, workload, parse_device("cpu"), relations=False)
        return [one.model_dump(mode="json") for one in outcome.verdicts]

    died = Verdict(status=Status.CRASHED, reason="the process died, or did not end")
    told = forked(run)
    return [Verdict.model_validate(one) for one in told] if told is not None else [died] * len(workload.cases)


def lines(operator: Operator, way: Implementation, workloads: Sequence[Workload]) -> Iterator[str]:
    """Return the share of calls that a way compares, then how many each rule excused and how many failed by what.

    In principle it can compare the calls of which no rule is proved that it may refuse them.
    """
    found = [verdict for workload in workloads for verdict in verdicts(operator, way, workload)]
    calls = len(found)
    skipped = [one for one in found if one.status in UNJUDGED and one.reason != REST]
    proved = sum(rule_of(one.reason, way.excuses) is not None for one in skipped)
    compared = calls - len(skipped)
    yield (
        f"{way.name:28} {calls:5} calls {compared / calls:7.1%} compared, {compared / max(1, calls - proved):7.1%} of "
        f"those in principle; {proved:5} refused by a proved rule, {len(skipped) - proved:5} not compared otherwise"
    )
    told = Counter(_told(one) for one in found if one.status is not Status.PASSED)
    yield from (f"    {count:5} {count / calls:6.1%}  {text}" for text, count in told.most_common())


def _told(verdict: Verdict) -> str:
    rule = verdict.reason.partition(": ")[0] if verdict.status is Status.SKIPPED else verdict.reason
    return f"{verdict.status.value}  {' '.join(rule.split())[:160]}"


def main(name: str, ways: list[str]) -> None:
    """Print the shares of some ways of an operator, of all that run on a CPU where none is named."""
    operator, known = catalog().operators[name], catalog().implementations[name]
    chosen = [known[way] for way in ways] or [one for one in known.values() if "cpu" in one.devices]
    workloads = drawn(operator)
    parse_device("cpu").activate()
    for way in chosen:
        print("\n".join(lines(operator, way, workloads)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
