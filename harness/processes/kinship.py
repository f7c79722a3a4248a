"""Kinship: processes that end with those that started them, and nothing that they started left behind.

It runs as a program of its own too, `python -I -S kinship.py COMMAND…`, the command's guardian: it imports nothing else
of ours, so that it starts at once.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Collection, Sequence
from typing import NoReturn

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_FLAGS, _PENDING = 6, 28
"""Where `/proc/PID/stat` has a process' flags, and the signals that it has yet to take, from behind its name."""
_EXITING = 0x4 | 0x400
"""Flags of a process that exits, and of one that a signal ended."""
NO_START = 126
"""Exit code of a guardian whose command cannot be started."""
SWEEP_SECONDS = 5.0
"""Most that is spent on ending what goes on starting others."""


def die_with_parent(by: signal.Signals = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when the thread that forked it ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, by, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose parent ends: also of what left its session and its group."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid: int | None = None) -> set[int]:
    """Return the processes that a process (by default this one) started or adopted, dead ones too."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid or 'self'}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid or 'self'}/task/{thread}/children") as file:
                found.update(map(int, file.read().split()))
    return found


def kill_group(leader: int) -> None:
    """Kill a process and its group; nothing where they are gone, or another user's."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(leader, signal.SIGKILL)


def sweep(spared: Collection[int] = ()) -> None:
    """Kill and wait for all children but those spared, and for what is adopted from them, until none is left."""
    deadline = time.monotonic() + SWEEP_SECONDS
    while (left := children() - set(spared)) and time.monotonic() < deadline:
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)


def end(pid: int, seconds: float) -> int:
    """Return the wait status of a child, which has some seconds to end by itself before it is killed."""
    deadline = time.monotonic() + seconds
    done, status = os.waitpid(pid, os.WNOHANG)
    while not done and time.monotonic() < deadline:
        time.sleep(0.002)
        done, status = os.waitpid(pid, os.WNOHANG)
    if not done:
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    return status


def exit_as(status: int) -> NoReturn:
    """End this process as one with this wait status did."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def stand_guard(first: Callable[[], object] = lambda: None, last: Callable[[], object] = lambda: None) -> None:
    """Go on in a child; this process waits for its end, ends all that it leaves behind, and exits as it did.

    It does `first` as soon as the child is there, and `last` before it exits.
    """
    adopt_orphans()
    if (pid := os.fork()) == 0:
        die_with_parent()
        return
    first()
    _, status = os.waitpid(pid, 0)
    sweep()
    last()
    exit_as(status)


def hear_signals() -> None:
    """Take the signals by which a terminal ends processes as usual: one started in the background ignores some."""
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def doomed(pid: int) -> bool:
    """Whether a process has ended, ends, or has been sent what ends it: large memory takes a while to be given back."""
    return any(_is_doomed(pid) for _ in range(2))  # what is no longer pending at the first look shows at the second


def _is_doomed(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            stat = file.read().rpartition(")")[2].split()
    except OSError:
        return True
    return bool(int(stat[_FLAGS]) & _EXITING or int(stat[_PENDING]) & 1 << (signal.SIGKILL - 1))


def guarded(command: Sequence[str]) -> list[str]:
    """Return the command that runs another one as a child, ends as that does, and leaves nothing of it behind.

    That holds too where SIGTERM ends it, or the thread that started it ends.
    """
    return [sys.executable, "-I", "-S", __file__, *command]


def _guard(command: list[str]) -> NoReturn:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one that crashes would leave two
    signal.signal(signal.SIGTERM, _give_up)
    die_with_parent(signal.SIGTERM)
    stand_guard()
    hear_signals()
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(error.strerror, file=sys.stderr, flush=True)
        os._exit(NO_START)


def _give_up(*_: object) -> NoReturn:
    sweep()
    os._exit(1)


if __name__ == "__main__":
    _guard(sys.argv[1:])
