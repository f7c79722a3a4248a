"""Answers to what the host code of published kernels asks of `torch.cuda` where there is no GPU."""

import sys
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import torch

from eagerdiff.harness.devices.offline_driver import PROPERTIES

CAPABILITY = (9, 0)
"""Compute capability of the target that Triton is told of."""


_PROPERTIES = SimpleNamespace(
    name="interpreted",
    major=CAPABILITY[0],
    minor=CAPABILITY[1],
    is_integrated=False,
    is_multi_gpu_board=False,
    multi_processor_count=PROPERTIES["multiprocessor_count"],
    max_threads_per_multi_processor=2048,
    clock_rate=1_980_000,  # kHz, an H100's, and so its memory's
    memory_clock_rate=2_619_000,
    memory_bus_width=5120,
    shared_memory_per_block=48 * 2**10,
    shared_memory_per_block_optin=PROPERTIES["max_shared_mem"],
    shared_memory_per_multiprocessor=PROPERTIES["max_shared_mem"],
    regs_per_multiprocessor=PROPERTIES["max_num_regs"],
    warp_size=PROPERTIES["warpSize"],
    total_memory=80 * 2**30,
    L2_cache_size=50 * 2**20,
)


def stand_in(more: Mapping[str, object] | None = None) -> None:
    """Answer for one device where torch sees none; `torch.cuda.is_available()` keeps saying no, but where `more` has
    an answer of its own."""
    torch.cuda.device.__init__ = _choose_nothing
    if torch.cuda.is_available():
        return
    answers = {
        "get_device_capability": CAPABILITY,
        "get_device_properties": _PROPERTIES,
        "get_device_name": _PROPERTIES.name,
        "current_device": 0,
        "synchronize": None,
        "current_stream": SimpleNamespace(cuda_stream=0, synchronize=lambda: None),
    }
    for name, answer in {**answers, **(more or {})}.items():
        setattr(torch.cuda, name, _answering(getattr(torch.cuda, name), answer))


def _answering(original: Callable[..., Any], answer: object) -> Callable[..., Any]:
    """Answer whoever asks but torch itself, whose compilers would take another path for it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        asker = sys._getframe(1).f_globals.get("__name__", "")
        return original(*args, **kwargs) if asker.startswith("torch.") else answer

    return call


def _choose_nothing(self: torch.cuda.device, device: object) -> None:
    """Make `with torch.cuda.device(...)` do nothing: -1 exchanges no device."""
    self.idx = self.prev_idx = -1
