"""This machine's processor, as LLVM names it."""

import functools
import platform
from pathlib import Path

_LEVELS = (
    ("x86-64-v4", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
    ("x86-64-v3", {"avx2", "fma", "f16c", "bmi2"}),
    ("x86-64-v2", {"sse4_2", "popcnt", "ssse3"}),
)
"""Levels of x86-64 (the psABI's), with what tells them apart."""


@functools.cache
def triple() -> str:
    """Return the target triple: of Linux alone, as Triton's wheels are."""
    return f"{platform.machine()}-unknown-linux-gnu"


@functools.cache
def processor() -> str:
    """Return the processor to compile for."""
    if platform.machine() != "x86_64":
        return "generic"
    flags = _flags()
    return next((level for level, needed in _LEVELS if needed <= flags), "x86-64")


@functools.cache
def features() -> str:
    """Return what this processor can do, as far as it says so: code for it may end a process on another."""
    return " ".join((platform.machine(), *sorted(_flags())))


def _flags() -> set[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    return {flag for line in lines if line.startswith("flags") for flag in line.partition(":")[2].split()}
