"""A process of its own for the interpreted device: Triton chooses the interpreter when a kernel is decorated."""

import functools
import importlib
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from eagerdiff.harness.devices import parse


@functools.cache
def _process(device: str) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _activate, (device,))


def _activate(device: str) -> None:
    chosen = parse(device)
    os.environ.update(chosen.environment())
    chosen.activate()


def _call(module: str, name: str, arguments: tuple[Any, ...]) -> Any:
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function(*arguments)


def interpreted(module: str, name: str, *arguments: Any) -> Any:
    """Call `module.name(*arguments)` where the interpreter is active; what it raises is raised here."""
    return _process("interpreted").submit(_call, module, name, arguments).result(timeout=280)


def on_cpu(module: str, name: str, *arguments: Any) -> Any:
    """Call `module.name(*arguments)` where the cpu device is active."""
    return _process("cpu").submit(_call, module, name, arguments).result(timeout=280)
