"""Answering: processes with other hashes of texts, and other addresses, that answer calls for this one.

They are forked by a helper of this process, and that by a spare process, which imports torch once, for all who ask;
what is compiled in it is forgotten.
"""

import contextlib
import ctypes
import faulthandler
import functools
import importlib
import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

import torch

from eagerdiff import helper_process
from eagerdiff.compiled.drawn_module import Made
from eagerdiff.compiled.elsewhere import serve
from eagerdiff.compiled.raised_elsewhere import told
from eagerdiff.harness.internals.dynamo_config import FUNCTORCH, INDUCTOR, patched
from eagerdiff.harness.internals.dynamo_metrics import compilations_as_text
from eagerdiff.harness.internals.dynamo_names import named_anew
from eagerdiff.harness.internals.graph_caches import kept_in
from eagerdiff.harness.internals.preloading import COMPILERS

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

IDLE_SECONDS = 120.0
"""After which a helper that nobody asks gives its memory back."""
MESSAGE = 1 << 16
"""Most bytes of an order."""
_DIE_WITH_PARENT = 1


class Helper:
    """Have processes forked that answer calls, one at a time, by one with other hashes, which is forked first."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None

    def fork(self, order: Mapping[str, Any]) -> Connection:
        """Return the channel of a process that answers calls as `answer` says; raise RuntimeError where none starts."""
        if (channel := self._forked(order)) is None:
            self._control = helper_process(__name__)
            channel = self._forked(order)
        return channel or _gone()

    def status(self) -> int:
        """Return the wait status of the process forked last, which is ending; raise RuntimeError where nobody knows."""
        assert self._control is not None
        self._control.send(b"{}")
        return int(self._control.recv(MESSAGE) or _gone())

    def _forked(self, order: Mapping[str, Any]) -> Connection | None:
        """Return the channel of a process; None where there is nobody any more to fork it."""
        if self._control is None:
            return None
        ours, theirs = socket.socketpair()
        with contextlib.suppress(OSError), theirs:
            socket.send_fds(self._control, [json.dumps(dict(order)).encode()], [theirs.fileno()])
            if self._control.recv(MESSAGE):
                return Connection(ours.detach())
        ours.close()
        return None


def _gone() -> NoReturn:
    raise RuntimeError("the process that forks those which answer calls is gone")


@functools.cache
def helper(pid: int) -> Helper:
    """Return the helper of this process, whose id is given: it is not for those that are forked of it."""
    return Helper()


def prepare() -> None:
    """Import torch's compilers, and have them do what they do at their first use."""
    for name in COMPILERS:
        importlib.import_module(name)
    _warm_up()


def help_out(control: socket.socket) -> None:
    """Fork processes that answer calls until nobody asks any more."""
    control.settimeout(IDLE_SECONDS)
    latest = 0
    while True:
        try:
            data, channels, _, _ = socket.recv_fds(control, MESSAGE, 1)
        except TimeoutError:
            if latest and os.waitid(os.P_PID, latest, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                continue  # it is still at work
            return
        if not data:
            return
        if not channels:
            control.send(str(os.waitpid(latest, 0)[1]).encode())
            latest = 0
            continue
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if (latest := os.fork()) == 0:
            control.close()
            answer(json.loads(data), channels[0])
        os.close(channels[0])
        control.send(str(latest).encode())


def answer(order: Mapping[str, Any], channel: int) -> None:
    """Answer calls of the module at `path`, with torch's `settings` and `threads` and graphs in `folder`; then exit."""
    try:
        _die_with_parent()
        faulthandler.enable(sys.stderr, all_threads=False)
        exec(order["settings"], {"torch": torch})
        torch.set_num_threads(order["threads"])
        with kept_in(lambda: Path(order["folder"])):
            serve(Connection(channel), Made(Path(order["path"])), told, compilations_as_text)
        os._exit(0)
    except BaseException:  # noqa: BLE001 - whoever asked is told that it ended
        traceback.print_exc()
        os._exit(1)


def _warm_up() -> None:
    """Have torch's compilers do what they do at their first use, for a second or two, and forget what was compiled."""
    torch.set_num_threads(1)
    alone, uncached = {"compile_threads": 1, "fx_graph_cache": False}, {"enable_autograd_cache": False}
    with patched(INDUCTOR, alone), patched(FUNCTORCH, uncached), named_anew():
        compiled = torch.compile(lambda x: (x @ x.mT).relu().sum(-1), dynamic=True)
        compiled(torch.ones(3, 4, requires_grad=True)).sum().backward()
    torch.compiler.reset()
    compilations_as_text()


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
