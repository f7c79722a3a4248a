"""Peak memory: the most bytes that a call holds at once besides what was there before it."""

from collections.abc import Callable
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile


def peak_bytes(call: Callable[[], object], torch_device: str) -> int:
    """Return the most bytes of tensors that a call holds at once, on `cuda` as its allocator counts them.

    On the processor torch's profiler tells of each allocation: the figure is a count, and the same each time.
    """
    if torch_device == "cuda":
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        call()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiled:
        call()
    assert profiled.profiler is not None  # it has run
    events: list[Any] = profiled.profiler.kineto_results.events()  # pyright: ignore[reportOptionalMemberAccess]
    held = peak = 0
    for event in sorted((one for one in events if one.name() == "[memory]"), key=lambda one: one.start_ns()):
        held += event.nbytes()
        peak = max(peak, held)
    return peak
