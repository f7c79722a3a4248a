"""Confined: a program of someone else's, within limits, and without network where the system lets us cut it off.

It runs as a file of its own, `python -I -S confined.py LIMITS COMMAND…`, becomes the command, and imports nothing of
ours: limits are set between the fork and the program, in a process that has one thread.
"""

import contextlib
import ctypes
import fcntl
import functools
import json
import os
import re
import resource
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

GIB = 1 << 30
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_NO_NEW_PRIVILEGES = 38
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x41
"""Of a network interface: how its flags are read and written, and those of one that is up."""
_SECRET = re.compile(r"token|secret|passw|credential|api_?key|private|auth|cookie|session", re.IGNORECASE)
_CACHES = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TMPDIR")
"""Where compilers leave what others of this user load later."""
_ONCE = {"TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS": "0"}
"""A header that is compiled ahead costs a program more than it saves, where nobody after it finds it."""
_NO_START = 126


@dataclass(frozen=True)
class Confinement:
    """Say what a program may use."""

    cpu_seconds: int
    """Of each process that it starts."""
    memory: int = 8 * GIB
    """Bytes that a process may write to; what it maps of files, or sets aside, is not counted."""
    file: int = 4 * GIB
    """Bytes of the largest file that it may write."""


def confined(command: Sequence[str], limits: Confinement) -> list[str]:
    """Return the command that runs another one within limits, with no network, no secrets and caches of its own."""
    return [sys.executable, "-I", "-S", __file__, json.dumps(asdict(limits)), *command]


@functools.cache
def without_network() -> bool:
    """Return whether this system lets a program be cut off from the network."""
    command = [sys.executable, "-I", "-S", __file__]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def main(arguments: list[str]) -> int:
    """Become the command; with no arguments, say by the exit code whether the network can be cut off."""
    if not arguments:
        return 0 if _leave_network() else 1
    limits = Confinement(**json.loads(arguments[0]))
    _limit(limits)
    _leave_network()
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    kept = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    try:
        os.execvpe(arguments[1], arguments[1:], kept | dict.fromkeys(_CACHES, os.getcwd()) | _ONCE)
    except OSError as error:
        print(error.strerror, file=sys.stderr)
        return _NO_START


def _limit(limits: Confinement) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    wanted = {
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_DATA: limits.memory,
        resource.RLIMIT_FSIZE: limits.file,
    }
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, most))


def _leave_network() -> bool:
    """Move to a network of one's own, which reaches this process alone; return whether the system allows it."""
    libc, user, group = ctypes.CDLL(None, use_errno=True), os.getuid(), os.getgid()
    if libc.unshare(_NEW_USER | _NEW_NETWORK) == 0:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    elif libc.unshare(_NEW_NETWORK) != 0:
        return False
    with contextlib.suppress(OSError):
        _raise_loopback()
    return True


def _raise_loopback() -> None:
    """Switch 127.0.0.1 on: ranks of one program talk to one another there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH22x", b"lo", 0)
        (flags,) = struct.unpack_from("H", fcntl.ioctl(any_socket, _GET_FLAGS, request), 16)
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH22x", b"lo", flags | _UP))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
