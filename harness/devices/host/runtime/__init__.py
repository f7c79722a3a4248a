"""What compiled kernels call: checks, products, floats of eight bits, libdevice; in C++, compiled once a machine."""

import ctypes
import functools
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from eagerdiff.harness.devices.device import cache_folder
from eagerdiff.harness.devices.host import machine

_SOURCES = sorted(Path(__file__).parent.glob("*.cpp"))
_FLAGS = ("-std=c++17", "-O3", "-march=native", "-shared", "-fPIC")


class NoCompiler(RuntimeError):
    """There is none for C++, or it fails; the message says what to do."""


def compiler() -> str | None:
    """Return the C++ compiler: `CXX`, or the first that is found."""
    chosen = os.environ.get("CXX")
    return next((found for name in (chosen, "g++", "clang++") if name and (found := shutil.which(name))), None)


@functools.cache
def digest() -> str:
    """Return what the sources are, and the processor that they are compiled for, in twelve digits."""
    headers = sorted(Path(__file__).parent.glob("*.h"))
    data = machine.features().encode() + b"".join(path.read_bytes() for path in (*_SOURCES, *headers))
    return hashlib.sha256(data).hexdigest()[:12]


@functools.cache
def load() -> ctypes.CDLL:
    """Return the runtime, compiled where it is not yet; its names are there for every kernel that is loaded later."""
    return ctypes.CDLL(str(_library()), mode=ctypes.RTLD_GLOBAL)


def _library() -> Path:
    path = cache_folder() / "host" / f"runtime-{digest()}.so"
    if path.exists():
        return path
    command = compiler()
    if command is None:
        raise NoCompiler("no C++ compiler: install g++ or clang++, or name one in CXX")
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_suffix(f".{os.getpid()}")
    done = subprocess.run(
        [command, *_FLAGS, "-o", str(made), *map(str, _SOURCES)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoCompiler(f"{command} does not compile the runtime: {done.stderr.strip().splitlines()[0]}")
    made.replace(path)
    return path
