"""Company: threads and processes that go on beside the one that is judged."""

import contextlib
import os
import re
import time

_ALONE = 3
"""Links of the folder of threads where there is one: its own two, and the thread's."""
_TORCHS_OWN = re.compile(r"thread 'pt_autograd_\d+'")
"""Threads of autograd's engine, one a GPU that torch sees: they begin with the first backward, and stay."""
LEAVING_SECONDS = 0.5
"""Most that a thread or a process takes to go that has been waited for: the system hears of it a moment later."""


def company() -> frozenset[int]:
    """Return the numbers of this process' other threads and of its children that live."""
    alone = os.stat("/proc/self/task").st_nlink == _ALONE
    if alone and not _has_children():
        return frozenset()
    threads = os.listdir("/proc/self/task")
    return frozenset(map(int, threads)) - {os.getpid()} | _children(threads)


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def newcomers(before: frozenset[int]) -> list[str]:
    """Return what has joined and does not go: each thread and process by its name, but for torch's own."""
    deadline = time.monotonic() + LEAVING_SECONDS
    while (joined := _strangers(company() - before)) and time.monotonic() < deadline:
        time.sleep(0.005)
    return joined


def _strangers(joined: frozenset[int]) -> list[str]:
    named = (_name(number) for number in sorted(joined))
    return [name for name in named if not _TORCHS_OWN.fullmatch(name)]


def _children(threads: list[str]) -> frozenset[int]:
    found: set[int] = set()
    for thread in threads:
        with contextlib.suppress(OSError), open(f"/proc/self/task/{thread}/children") as file:
            found.update(int(text) for text in file.read().split())
    return frozenset(number for number in found if _lives(number))


def _lives(number: int) -> bool:
    """Whether a child runs: one that ended and was not waited for is nobody's harm."""
    with contextlib.suppress(OSError), open(f"/proc/{number}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    return False


def _name(number: int) -> str:
    thread = os.path.exists(f"/proc/self/task/{number}")
    with contextlib.suppress(OSError), open(f"/proc/{'self/task/' if thread else ''}{number}/comm") as file:
        return f"{'thread' if thread else 'process'} {file.read().strip()!r}"
    return "a process"
