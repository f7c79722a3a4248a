"""What Dynamo writes down of each compilation."""

import json
from typing import Any

from eagerdiff.harness.internals.hook import Gone, Hook

_HOME = "torch._dynamo.utils"
HOOKS = {
    "metrics": Hook("torch", f"{_HOME}:get_compilation_metrics", "tells compilations and their reasons", since="2.5"),
    "kept": Hook("torch", f"{_HOME}:_compilation_metrics", "has another process' compilations counted", since="2.5"),
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


def compilations_as_text() -> str:
    """Return the metrics of the process' last compilations, and forget them: what is plain of them, as JSON."""
    kept = HOOKS["kept"].reach()
    told = [{name: plain for name, value in vars(one).items() if (plain := _plain(value)) is not None} for one in kept]
    kept.clear()
    return json.dumps(told)


def write_down(text: str, process: str) -> None:
    """Add what `compilations_as_text` told of another process to this one's; its frames are named after the process."""
    for fields in json.loads(text):
        if "compile_id" in fields:
            fields["compile_id"] = f"{process}:{fields['compile_id']}"
        HOOKS["kept"].reach().append(RECORD.reach()(**fields))


def _plain(value: Any) -> Any:
    """Return what JSON can say of a value, a set as a list; None for the rest."""
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    return value if isinstance(value, (bool, int, float, str)) else None


def is_loaded() -> bool:
    """Whether this process has loaded Dynamo: importing it takes a second, and nothing is compiled without."""
    return UTILITIES.loaded() is not None


def is_graph_break(reason: str) -> bool:
    """Whether Dynamo counted a reason to start over as a graph break."""
    counted = (HOOKS["counters"].loaded() or {}).get("graph_break", {})
    return reason in counted or "graph break" in reason.lower()


def counted(group: str, name: str) -> int:
    """Return what torch itself counted under a name, since `forget_counts`."""
    return int(HOOKS["counters"].reach()[group][name])


def forget_counts() -> None:
    """Have torch count anew."""
    HOOKS["counters"].reach().clear()


UTILITIES = Hook("torch", _HOME, "is Dynamo", since="2.0")
