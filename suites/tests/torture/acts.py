"""Acts: what a stranger's code may do instead of its work, by kind."""

import builtins
import contextlib
import ctypes
import faulthandler
import gc
import math
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn

import torch

TOLD = "told by a stranger"
"""What acts say, so that a report can be searched for it."""


class Effect(StrEnum):
    """Say what an act comes to where nothing holds it."""

    RAISES = "raises"
    ENDS = "ends the process"
    HANGS = "hangs"
    EATS = "eats memory"
    SPOILS = "leaves something behind"
    HARMLESS = "does no harm"


@dataclass(frozen=True)
class Act:
    """Name something that is done, and what it comes to."""

    name: str
    effect: Effect
    do: Callable[[], object]


class Unheard(BaseException):
    """Is no Exception."""


class Speechless(Exception):
    """Cannot be written down."""

    def __str__(self) -> str:
        """Raise."""
        raise ValueError("no words")

    __repr__ = __str__


class Stuck(Exception):
    """Hangs where it is written down."""

    def __str__(self) -> str:
        """Compute without end."""
        while True:
            pass


def _raise(error: Callable[[], BaseException]) -> Callable[[], NoReturn]:
    def act() -> NoReturn:
        raise error()

    return act


def _exceptions() -> Iterator[Act]:
    special: dict[type[BaseException], Callable[[], BaseException]] = {
        UnicodeDecodeError: lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, TOLD),
        UnicodeEncodeError: lambda: UnicodeEncodeError("utf-8", "\ud800", 0, 1, TOLD),
        UnicodeTranslateError: lambda: UnicodeTranslateError("x", 0, 1, TOLD),
        BaseExceptionGroup: lambda: BaseExceptionGroup(TOLD, [KeyboardInterrupt()]),
        ExceptionGroup: lambda: ExceptionGroup(TOLD, [ValueError(TOLD)]),
    }
    for name in sorted(vars(builtins)):
        kind = getattr(builtins, name)
        if isinstance(kind, type) and issubclass(kind, BaseException) and name == kind.__name__:
            effect = Effect.EATS if kind is MemoryError else Effect.RAISES
            yield Act(f"raise-{name}", effect, _raise(special.get(kind, lambda kind=kind: kind(TOLD))))
    said = {
        "long": "x" * 1_000_000,
        "lines": "\n" * 10_000,
        "nothing": "",
        "surrogate": "\ud800\udfff",
        "escapes": "\x1b]0;title\x07\x1b[2J\x9b31m",
        "markup": "</script><img src=x onerror=alert(1)>![](http://example.invalid/a.png)|`",
        "coding": "-*- coding: encoding -*- encoding: x \\\"\"\" ''' # \r",
        "memory": "CUDA out of memory. Tried to allocate 1 TiB",
        "nul": "\x00",
    }
    for name, text in said.items():
        yield Act(f"say-{name}", Effect.RAISES, _raise(lambda text=text: RuntimeError(text)))
    yield Act("raise-unheard", Effect.RAISES, _raise(lambda: Unheard(TOLD)))
    yield Act("raise-speechless", Effect.RAISES, _raise(Speechless))
    yield Act("raise-stuck", Effect.RAISES, _raise(Stuck))
    yield Act("raise-deep", Effect.RAISES, lambda: _deep(0))


def _deep(depth: int) -> int:
    return _deep(depth + 1) + 1


_SIGNALS = (
    *("KILL", "TERM", "SEGV", "ABRT", "FPE", "BUS", "ILL", "PIPE", "HUP"),
    *("QUIT", "ALRM", "USR2", "XCPU", "SYS", "TRAP", "VTALRM", "PROF", "POLL"),
)


def _leave_in_thread() -> None:
    threading.Thread(target=os._exit, args=(0,)).start()
    time.sleep(5)


def _exits() -> Iterator[Act]:
    for code in (0, 1, 2, 3, 126, 255):
        yield Act(f"leave-{code}", Effect.ENDS, lambda code=code: os._exit(code))
    for code in (None, 0, 1, 3, TOLD):
        yield Act(f"exit-{code}".replace(" ", "-"), Effect.RAISES, lambda code=code: sys.exit(code))
    for name in _SIGNALS:
        number = getattr(signal, f"SIG{name}")
        yield Act(f"signal-{name}", Effect.ENDS, lambda number=number: _die_of(number))
    yield Act("signal-INT", Effect.RAISES, lambda: (os.kill(os.getpid(), signal.SIGINT), time.sleep(0.1)))
    yield Act("signal-STOP", Effect.HANGS, lambda: os.kill(os.getpid(), signal.SIGSTOP))
    yield Act("read-address-0", Effect.ENDS, lambda: ctypes.string_at(0))
    yield Act("abort", Effect.ENDS, os.abort)
    yield Act("fatal", Effect.ENDS, lambda: faulthandler._fatal_error_c_thread())  # pyright: ignore[reportAttributeAccessIssue]
    yield Act("overflow-stack", Effect.ENDS, lambda: faulthandler._stack_overflow())  # pyright: ignore[reportAttributeAccessIssue]
    yield Act("exec-true", Effect.ENDS, lambda: os.execv("/bin/true", ["true"]))
    yield Act("exec-false", Effect.ENDS, lambda: os.execv("/bin/false", ["false"]))
    yield Act("kill-group", Effect.ENDS, lambda: os.killpg(0, signal.SIGKILL))
    yield Act("kill-parent", Effect.ENDS, lambda: (os.kill(os.getppid(), signal.SIGKILL), time.sleep(5)))
    yield Act("leave-in-thread", Effect.ENDS, _leave_in_thread)
    yield Act("close-all", Effect.ENDS, lambda: os.closerange(3, 4096))


def _die_of(number: int) -> None:
    signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
    os.kill(os.getpid(), number)
    time.sleep(5)


def _hangs() -> Iterator[Act]:
    ways: dict[str, Callable[[], object]] = {
        "spin": _spin,
        "spin-in-c": lambda: sum(iter(int, 1)),
        "sleep": lambda: time.sleep(1_000_000),
        "lock": lambda: (lock := threading.Lock(), lock.acquire(), lock.acquire()),
        "event": lambda: threading.Event().wait(),
        "pipe": lambda: os.read(os.pipe()[0], 1),
        "socket": lambda: (pair := socket.socketpair(), pair[0].recv(1)),
        "child": lambda: subprocess.run(["/bin/sleep", "1000000"], check=False),
        "busy-child": lambda: subprocess.run([sys.executable, "-c", "while True: pass"], check=False),
        "ignore-term": lambda: (signal.signal(signal.SIGTERM, signal.SIG_IGN), time.sleep(1_000_000)),
        "join": _join,
        "pause": signal.pause,
        "swallow": _swallow,
    }
    for name, act in ways.items():
        yield Act(f"hang-{name}", Effect.HANGS, act)


def _join() -> None:
    thread = threading.Thread(target=time.sleep, args=(1_000_000,), daemon=True)
    thread.start()
    thread.join()


def _spin() -> NoReturn:
    while True:
        pass


def _swallow() -> NoReturn:
    """Be what no exception can end, a Ctrl-C and a time-out's included: that it swallows them is the act."""
    while True:
        try:
            time.sleep(1_000_000)
        except BaseException:  # noqa: BLE001
            continue


def _eaters() -> Iterator[Act]:
    yield Act("eat-at-once", Effect.EATS, lambda: torch.ones(1 << 36, dtype=torch.uint8))
    yield Act("eat-bytes", Effect.EATS, lambda: bytearray(1 << 36))
    yield Act("eat-steps", Effect.EATS, _eat_in_steps)
    yield Act("eat-list", Effect.EATS, lambda: [0] * (1 << 33))


def _eat_in_steps() -> NoReturn:
    held: list[bytearray] = []
    while True:
        held.append(bytearray(1 << 24))


def _doubled(*args: Any, **options: Any) -> Any:
    return True


def _spoilers() -> Iterator[Act]:
    ways: dict[str, Callable[[], object]] = {
        "default-dtype": lambda: torch.set_default_dtype(torch.float64),
        "default-device": lambda: torch.set_default_device("meta"),
        "threads": lambda: torch.set_num_threads(2),
        "deterministic": lambda: torch.use_deterministic_algorithms(True),
        "grad-off": lambda: torch.set_grad_enabled(False),
        "matmul-precision": lambda: torch.set_float32_matmul_precision("medium"),
        "anomaly": lambda: torch.autograd.set_detect_anomaly(True),
        "cwd": lambda: os.chdir("/"),
        "cwd-gone": _delete_cwd,
        "environment": lambda: os.environ.update(EAGERDIFF_TORTURE="1"),
        "environment-gone": os.environ.clear,
        "home": lambda: os.environ.update(HOME="/nowhere"),
        "tmpdir": lambda: (os.environ.update(TMPDIR="/nowhere"), setattr(tempfile, "tempdir", "/nowhere")),
        "handler": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
        "handler-usr1": lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN),
        "alarm": lambda: signal.setitimer(signal.ITIMER_REAL, 1_000),
        "umask": lambda: os.umask(0o777),
        "limit": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
        "recursion": lambda: sys.setrecursionlimit(60_000),
        "trace": lambda: sys.settrace(lambda *_: None),
        "profile": lambda: sys.setprofile(lambda *_: None),
        "excepthook": lambda: setattr(sys, "excepthook", _doubled),
        "stdout": lambda: setattr(sys, "stdout", None),
        "stderr-closed": lambda: os.close(2),
        "stdout-closed": lambda: os.close(1),
        "stdin": lambda: os.close(0),
        "thread": lambda: threading.Thread(target=time.sleep, args=(1_000,), daemon=True).start(),
        "child": lambda: subprocess.Popen(["/bin/sleep", "1000"]),
        "daemon": _leave_daemon,
        "path": lambda: sys.path.insert(0, "/nowhere"),
        "warnings": lambda: warnings.simplefilter("error"),
        "collector": gc.disable,
    }
    for name, act in ways.items():
        yield Act(f"spoil-{name}", Effect.SPOILS, act)
    for owner, name in _PATCHED:
        label = f"{getattr(owner, '__name__', owner)}.{name}"
        yield Act(f"patch-{label}", Effect.SPOILS, lambda owner=owner, name=name: setattr(owner, name, _doubled))


_PATCHED: list[tuple[Any, str]] = [
    (torch.Tensor, "isfinite"),
    (torch.Tensor, "isnan"),
    (torch.Tensor, "all"),
    (torch.Tensor, "equal"),
    (torch.Tensor, "to"),
    (torch.Tensor, "clone"),
    (torch.Tensor, "abs"),
    (torch.Tensor, "max"),
    (torch.Tensor, "__sub__"),
    (torch.Tensor, "__le__"),
    (torch, "isfinite"),
    (torch, "allclose"),
    (torch, "equal"),
    (torch, "isclose"),
    (torch, "where"),
    (torch, "empty_like"),
    (torch, "manual_seed"),
    (torch.testing, "assert_close"),
    (torch.nn.functional, "softmax"),
    (torch.linalg, "norm"),
    (math, "isfinite"),
    (math, "isnan"),
    (builtins, "all"),
    (builtins, "any"),
    (builtins, "abs"),
    (builtins, "isinstance"),
    (time, "monotonic"),
    (time, "perf_counter"),
    (os, "getpid"),
]
"""What a kernel might patch so that nobody sees what it does."""


def _delete_cwd() -> None:
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)


def _leave_daemon() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv("/bin/sleep", ["eagerdiff-torture-daemon", "1000"])
        os._exit(0)
    os.wait()


def _channel() -> Iterator[Act]:
    """What is said where nobody asked: on the channel that answers go by, on the output, or by two processes."""
    yield Act("lie-json", Effect.ENDS, lambda: _write_to_all(b'{"case": 0, "stage": "implementation"}'))
    yield Act("lie-bytes", Effect.ENDS, lambda: _write_to_all(b"\xff\xfe\x00"))
    yield Act("lie-length", Effect.ENDS, lambda: (_write_raw(b"\x7f\xff\xff\xff"), time.sleep(1_000_000)))
    yield Act("come-back-twice", Effect.SPOILS, os.fork)  # each time: twins have twins


def _descriptors() -> list[int]:
    return [int(name) for name in os.listdir("/proc/self/fd") if int(name) > 2]


def _write_raw(data: bytes) -> None:
    for number in _descriptors():
        with contextlib.suppress(OSError):
            os.write(number, data)


def _write_to_all(text: bytes) -> None:
    _write_raw(len(text).to_bytes(4, "big") + text)


def _harmless() -> Iterator[Act]:
    ways: dict[str, Callable[[], object]] = {
        "print": lambda: print(TOLD * 100),
        "flood": lambda: print("x" * (1 << 20)),
        "escape": lambda: print("\x1b[2J\x1b]0;owned\x07"),
        "bytes": lambda: os.write(1, b"\xff\xfe\x00" * 100),
        "stderr": lambda: print('{"case": 99}', file=sys.stderr),
        "stack": lambda: faulthandler.dump_traceback(),
        "warn": lambda: warnings.warn(TOLD, stacklevel=2),
        "garbage": gc.collect,
        "memory-and-free": lambda: len(bytearray(1 << 24)),
        "child-and-wait": lambda: subprocess.run(["/bin/true"], check=False),
        "thread-and-join": lambda: _joined(),
        "seed": lambda: torch.manual_seed(7),
        "nap": lambda: time.sleep(0.05),
        "file": _write_a_file,
        "cause": _caught,
    }
    for name, act in ways.items():
        yield Act(f"harmless-{name}", Effect.HARMLESS, act)


def _joined() -> None:
    thread = threading.Thread(target=time.sleep, args=(0.01,))
    thread.start()
    thread.join()


def _write_a_file() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(b"x")


def _caught() -> None:
    try:
        raise MemoryError("CUDA out of memory")
    except MemoryError:
        print("std::bad_alloc", file=sys.stderr)


ACTS: list[Act] = [
    *_exceptions(),
    *_exits(),
    *_hangs(),
    *_eaters(),
    *_spoilers(),
    *_channel(),
    *_harmless(),
]
BY_NAME: dict[str, Act] = {act.name: act for act in ACTS}
