"""Timing where there is nothing to time: what a program would measure is run once."""

from collections.abc import Callable, Sequence
from typing import Any

MILLISECONDS = 1.0
"""What everything takes."""


def untimed() -> None:
    """Have Triton's benchmarks run what they are given once, in this process, and tables of them their first row."""
    import triton.testing

    for name in ("do_bench", "do_bench_cudagraph"):
        setattr(triton.testing, name, _once)
    triton.testing.Mark.run = _first_row


def _once(
    fn: Callable[[], object], *_: Any, quantiles: Sequence[float] | None = None, return_mode: str = "mean", **__: Any
) -> Any:
    fn()
    if quantiles is not None:
        return [MILLISECONDS] * len(quantiles)
    return [MILLISECONDS] if return_mode == "all" else MILLISECONDS


def _first_row(
    self: Any,
    show_plots: bool = False,
    print_data: bool = False,
    save_path: str = "",
    return_df: bool = False,
    **options: Any,
) -> None:
    """Call what `triton.testing.perf_report` decorates with the first value, once for each line; draw nothing."""
    listed = isinstance(self.benchmarks, Sequence)
    for benchmark in self.benchmarks if listed else [self.benchmarks]:
        first = benchmark.x_vals[0]
        values = first if isinstance(first, Sequence) else [first] * len(benchmark.x_names)
        named = dict(zip(benchmark.x_names, values, strict=True))
        for line in benchmark.line_vals:
            self.fn(**named, **{benchmark.line_arg: line}, **benchmark.args, **options)
