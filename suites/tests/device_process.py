"""A process of its own for each device: Triton chooses the interpreter when a kernel is decorated."""

import functools
import importlib
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import torch

from eagerdiff.harness.devices import Device, parse

WITHOUT_GPU = ("interpreted", "host")
"""Devices that run Triton's kernels where there is no GPU."""


os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")  # to look for a GPU must not start CUDA
EVERY = (*WITHOUT_GPU, "cuda") if torch.cuda.is_available() else WITHOUT_GPU
"""Devices that run Triton's kernels here."""


@functools.cache
def _process(device: str) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _activate, (device,))


class _Active:
    device: Device


def _activate(device: str) -> None:
    chosen = _Active.device = parse(device)
    os.environ.update(chosen.environment())
    chosen.activate()


def active() -> Device:
    """Return the device of this process."""
    return _Active.device


def here(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor where the kernels of this process' device take it."""
    return tensor.to(active().torch_device)


def _call(module: str, name: str, arguments: tuple[Any, ...]) -> Any:
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function(*arguments)


def run_on(device: str, module: str, name: str, *arguments: Any) -> Any:
    """Call `module.name(*arguments)` where a device is active; what it raises is raised here."""
    return _process(device).submit(_call, module, name, arguments).result(timeout=280)


class Chosen:
    """The device of the test in hand: see the fixtures `each_device` and `every_device`."""

    device = "interpreted"


def run_here(module: str, name: str, *arguments: Any) -> Any:
    """Call `module.name(*arguments)` where the device of the test in hand is active."""
    return run_on(Chosen.device, module, name, *arguments)


def interpreted(module: str, name: str, *arguments: Any) -> Any:
    """Call `module.name(*arguments)` where the interpreter is active."""
    return run_on("interpreted", module, name, *arguments)


def on_cpu(module: str, name: str, *arguments: Any) -> Any:
    """Call `module.name(*arguments)` where the cpu device is active."""
    return run_on("cpu", module, name, *arguments)
