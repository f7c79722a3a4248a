"""Compile what an autotuner would time for calls given as data: `test_tuning.py` runs it, in a process of its own."""

import json
import sys
from typing import Any

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.devices import offline
from eagerdiff.harness.ledger import Ledger


def compile_offline(operator: str, implementation: str, target: str, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how many configurations were timed, how many compilations that counts as, and what they need."""
    catalog = load()
    page = catalog.operator(operator)
    kernel = catalog.implementation(operator, implementation)
    with Ledger() as ledger, offline.capture(target) as reports:
        offline.launch_all(page, kernel, [page.case(**case) for case in cases])
    return {
        "timed": sum(record.layer == "autotune" for record in ledger.records),
        "compiles": ledger.compile_count,
        "spills": {one.kernel: one.spill_bytes for one in sorted(reports, key=lambda one: one.spill_bytes)},
        "shared": max(one.shared_bytes for one in reports),
    }


if __name__ == "__main__":
    operator, implementation, target, cases = sys.argv[1:]
    print(json.dumps(compile_offline(operator, implementation, target, json.loads(cases))))
