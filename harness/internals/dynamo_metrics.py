"""What Dynamo writes down of each compilation."""

from typing import Any

from eagerdiff.harness.internals.hook import Gone, Hook

_HOME = "torch._dynamo.utils"
HOOKS = {
    "metrics": Hook("torch", f"{_HOME}:get_compilation_metrics", "tells compilations and their reasons", since="2.5"),
    "counters": Hook("torch", f"{_HOME}:counters", "tells graph breaks from restarts", since="2.0"),
}
FIELDS = (
    "compile_id",
    "co_name",
    "recompile_reason",
    "guard_count",
    "graph_op_count",
    "fail_type",
    "fail_reason",
    "restart_reasons",
    "is_forward",
    "dynamo_cumulative_compile_time_us",
    "inductor_cumulative_compile_time_us",
    "aot_autograd_cumulative_compile_time_us",
    "inductor_fx_local_cache_hit_count",
    "inductor_fx_local_cache_miss_count",
)
"""What the ledger reads of one compilation's metrics."""
RECORD = Hook(
    "torch", f"{_HOME}:CompilationMetrics", "is the ledger's record of a compilation", since="2.5", parameters=FIELDS
)


def compilations() -> list[Any]:
    """Return the metrics of the process' last compilations, oldest first; none where Dynamo is not loaded.

    Raises Gone where Dynamo is loaded and keeps none: a ledger that sees nothing would call that no compilation.
    """
    read = HOOKS["metrics"].loaded()
    if read is None and is_loaded():
        raise Gone(HOOKS["metrics"].absence())
    return [] if read is None else list(read())


def is_loaded() -> bool:
    """Whether this process has loaded Dynamo: importing it takes a second, and nothing is compiled without."""
    return UTILITIES.loaded() is not None


def is_graph_break(reason: str) -> bool:
    """Whether Dynamo counted a reason to start over as a graph break."""
    counted = (HOOKS["counters"].loaded() or {}).get("graph_break", {})
    return reason in counted or "graph break" in reason.lower()


UTILITIES = Hook("torch", _HOME, "is Dynamo", since="2.0")
