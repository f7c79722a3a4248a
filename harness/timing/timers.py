"""Timers: what a call costs once it is compiled."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

Call = Callable[[], object]

_BATCH_SECONDS = 2e-3
"""Least length of one sample on the processor: the clock's own grain is far below it."""


@dataclass(frozen=True)
class Timing:
    """Hold the samples of one timed call, in seconds."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """Seconds a call."""
        return statistics.median(self.samples)


def timing_of(calls: Sequence[Call], torch_device: str, *, rounds: int = 15) -> Timing:
    """Time calls that do the same work on different inputs, in turn; seconds a call.

    On `cuda`: CUDA events round each call, the L2 cache overwritten before. On `cpu`: batches under `perf_counter`.
    Raises ValueError for a device without a clock worth reading (the interpreter's time says nothing of a GPU's).
    """
    if torch_device == "cuda":
        return _time_cuda(calls, rounds)
    if torch_device == "cpu":
        return _time_cpu(calls, rounds)
    raise ValueError(f"no timer for {torch_device!r}: time on cpu or cuda")


def _time_cpu(calls: Sequence[Call], rounds: int) -> Timing:
    for call in calls:
        call()
    batch = max(1, round(_BATCH_SECONDS / max(_seconds(calls, 1), 1e-9)))
    return Timing(tuple(_seconds(calls, batch) for _ in range(rounds)))


def _seconds(calls: Sequence[Call], batch: int) -> float:
    start = time.perf_counter()
    for _ in range(batch):
        for call in calls:
            call()
    return (time.perf_counter() - start) / (batch * len(calls))


def _time_cuda(calls: Sequence[Call], rounds: int) -> Timing:
    for call in calls:
        call()
    flush = torch.empty(2 * _l2_bytes(), dtype=torch.int8, device="cuda")
    samples = [_event_seconds(call, flush) for _ in range(rounds) for call in calls]
    return Timing(tuple(samples))


def _event_seconds(call: Call, flush: torch.Tensor) -> float:
    """Time one call on a cold L2; the fill keeps the queue busy, so that launch latency hides behind it."""
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    flush.zero_()
    start.record()
    call()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1e3


def _l2_bytes() -> int:
    return int(torch.cuda.get_device_properties(0).L2_cache_size)
