"""Timing where there is nothing to time: what a program would measure is run once."""

from collections.abc import Callable, Sequence
from typing import Any

MILLISECONDS = 1.0
"""What everything takes."""


def untimed() -> None:
    """Have Triton's benchmarks run what they are given once, in this process."""
    import triton.testing

    for name in ("do_bench", "do_bench_cudagraph"):
        setattr(triton.testing, name, _once)


def _once(
    fn: Callable[[], object], *_: Any, quantiles: Sequence[float] | None = None, return_mode: str = "mean", **__: Any
) -> Any:
    fn()
    if quantiles is not None:
        return [MILLISECONDS] * len(quantiles)
    return [MILLISECONDS] if return_mode == "all" else MILLISECONDS
