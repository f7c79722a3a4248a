"""The KV cache: what is drawn, what is right, what ships."""

from pathlib import Path

from eagerdiff import Drawing, Extras, Judging, Operator, Workload
from eagerdiff.compiled import kv_cache as compiled
from eagerdiff.compiled.adapters import kv_cache as third_party
from eagerdiff.reference.kv_cache import kv_cache
from eagerdiff.strategies.cases.kv_cache import KVCacheCase
from eagerdiff.strategies.kv_cache import cases, cases_like, inputs
from eagerdiff.suites.kv_metrics import metrics

WORKLOADS = {
    "shared_prefix": Workload(
        (KVCacheCase(steps=(("add", 0, 10, 0), ("add", 0, 10, 0), ("append", 1, 3, 0), ("free", 0, 0, 0))),)
    ),
}

OPERATOR = Operator(
    name="kv_cache",
    case=KVCacheCase,
    inputs=inputs,
    reference=kv_cache,
    cases=cases,
    workloads=WORKLOADS,
    implementations=(*compiled.IMPLEMENTATIONS, *third_party.IMPLEMENTATIONS),
    drawing=Drawing(workload_cases=cases_like),
    judging=Judging(exact=True),
    extras=Extras(
        metrics=metrics,
        corpus=Path(__file__).parent / "corpus" / "kv_cache.yaml",
        faults=Path(__file__).parent / "faults" / "kv_cache",
    ),
)
