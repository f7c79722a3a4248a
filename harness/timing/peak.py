"""Memory: the most bytes that a call holds at once, and what a GPU's allocator holds beyond that."""

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


def fragmentation(run: Callable[[], object]) -> float:
    """Return the share of the memory that CUDA's allocator reserves for a run which is never in use, in %.

    What other shapes left free, and no later one fits into, is what is lost to dynamic shapes
    (https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management).
    """
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    run()
    torch.cuda.synchronize()
    reserved = torch.cuda.max_memory_reserved()
    return 100 * (1 - torch.cuda.max_memory_allocated() / reserved) if reserved else 0.0
