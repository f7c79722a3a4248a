"""The comparison: planted faults under our search and under baseline suites that peers publish, by operator."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.mutation.baseline_search import search_baselines
from eagerdiff.harness.mutation.faults import Fault
from eagerdiff.harness.mutation.selfcheck import Selfcheck
from eagerdiff.harness.results.attempt import BaselineAttempt
from eagerdiff.harness.results.detection import Pair, Record
from eagerdiff.harness.results.environment import environment


def compare(
    faults: Sequence[Fault],
    searched: Selfcheck,
    catalog: Catalog,
    *,
    budget: float,
    baseline_budget: float,
    command: str,
    slots: int = 2,
    progress: Callable[[BaselineAttempt], None] = lambda row: None,
) -> list[Record]:
    """Run the baseline suites against faults that our search was run against, for `baseline_budget` seconds each.

    Return one record an operator that has suites; faults of others are left out.
    """
    made, known = datetime.now(UTC).isoformat(timespec="seconds"), _environment(slots)
    records: list[Record] = []
    for name in dict.fromkeys(fault.operator for fault in faults):
        if not catalog.operators[name].extras.baseline_suites:
            continue
        mine = [fault for fault in faults if fault.operator == name]
        ours = [row for row in searched.rows if row.operator == name]
        theirs, uses = search_baselines(mine, ours, catalog, budget=baseline_budget, slots=slots, progress=progress)
        pairs = [Pair(ours=one, theirs=other) for one, other in zip(ours, theirs, strict=True)]
        records.append(
            Record(
                operator=name,
                made=made,
                command=command,
                environment=known,
                budget=budget,
                baseline_budget=baseline_budget,
                suites=uses,
                pairs=pairs,
            )
        )
    return records


def _environment(slots: int) -> dict[str, str]:
    """Return what figures depend on: versions, cores, and how busy the machine was when it began."""
    known = environment()
    return {
        "eagerdiff": version("eagerdiff"),
        **{name: known[name] for name in ("torch", "triton", "python", "cores")},
        "workers": str(slots),
        "load": f"{os.getloadavg()[0]:.1f}",
        "commit": known["commit"][:10],
    }
