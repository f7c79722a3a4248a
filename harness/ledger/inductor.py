"""AOTAutograd's and Inductor's layer: cache hit or miss, seconds."""

from typing import Any

from eagerdiff.harness.model.outcome import CompileRecord


def inductor_record(metrics: Any, call: int) -> CompileRecord | None:
    """Return the backend's part of one entry of Dynamo's metrics, or None where no backend of torch's own ran."""
    hits = _sum(metrics, "aotautograd_local_cache_hit_count", "inductor_fx_local_cache_hit_count")
    hits += _sum(metrics, "aotautograd_remote_cache_hit_count", "inductor_fx_remote_cache_hit_count")
    misses = _sum(metrics, "inductor_fx_local_cache_miss_count", "inductor_fx_remote_cache_miss_count")
    seconds = _sum(metrics, "inductor_cumulative_compile_time_us") / 1e6
    if metrics.compile_id is None or not (hits or misses or seconds):
        return None  # AOTInductor's seconds turn up in the metrics of whatever is compiled next
    backward = metrics.is_forward is False
    return CompileRecord(
        layer="inductor",
        frame=metrics.compile_id.rpartition("/")[0],
        call=call,
        reason="backward" if backward else "",
        seconds=seconds,
        cache_hit=hits > 0 and misses == 0,
        details={
            "compile_id": metrics.compile_id,
            "inside": not backward,
            "aot_seconds": _sum(metrics, "aot_autograd_cumulative_compile_time_us") / 1e6,
            "triton_seconds": _sum(metrics, "triton_compile_time_us") / 1e6,
            "autotune_seconds": _sum(metrics, "compile_time_autotune_time_us", "runtime_triton_autotune_time_us") / 1e6,
            "cache_hits": hits,
            "cache_misses": misses,
        },
    )


def _sum(metrics: Any, *names: str) -> int:
    return sum(getattr(metrics, name, None) or 0 for name in names)
