"""The spare process: an interpreter of its own, with other hashes of texts, from which helpers are forked.

A fork server has one for all its workers; a process that no fork server forked has its own. It starts when somebody
first asks, imports what the first order names, and ends with its starter, or after a while in which nobody asks. A
helper serves whoever asked for it, and ends with it.
"""

import contextlib
import functools
import gc
import importlib
import json
import os
import resource
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, NoReturn

from eagerdiff.harness.processes.fresh_process import python
from eagerdiff.harness.processes.kinship import die_with_parent

HASH_SEED = "1"
"""Workers have another one: texts have other hashes here."""
IDLE_SECONDS = 120.0
"""After which a spare process, or a helper, that nobody asks gives its memory back."""
LOOK_SECONDS = 1.0
"""How often whoever waits says so, and whoever started a spare process looks whether it is there."""
START_SECONDS = 300.0
"""Most that a spare process takes to start and to fork, on a machine that is busy."""
MESSAGE = 1 << 16
"""Most bytes of an order."""


class Spare:
    """Hold a place for a spare process: orders go in, and wait there (`waiting`) until a process takes them."""

    def __init__(self) -> None:
        self._orders, self.waiting = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process: subprocess.Popen[bytes] | None = None
        self._path = list(sys.path)

    @property
    def pid(self) -> int | None:
        """The process, while there is one; for its starter alone."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def see_to_it(self) -> None:
        """Start a process where an order waits and none is there to take it; for its starter alone."""
        if self.pid is None and wait([self.waiting], 0):
            self._process = subprocess.Popen(
                python("eagerdiff.harness.processes.spare", str(self.waiting.fileno())),
                pass_fds=[self.waiting.fileno()],
                env=os.environ | {"PYTHONHASHSEED": HASH_SEED},
                stdin=subprocess.DEVNULL,
            )

    def fits(self) -> bool:
        """Whether a process of it finds the same modules as this one."""
        return self._path == sys.path

    def order(self, what: str) -> socket.socket:
        """Put an order in; return the channel by which it is answered."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            order = json.dumps({"what": what, "memory": resource.getrlimit(resource.RLIMIT_AS)[0]}).encode()
            socket.send_fds(self._orders, [order], [theirs.fileno(), 1, 2])
        return ours


@dataclass
class Lent:
    """What a worker has of others."""

    spare: Spare | None = None
    """Its fork server's; None in a process that no fork server forked."""
    tell: Callable[[int | None], None] = lambda helper: None
    """Tells the campaign which process works for this one, or that this one waits for it."""


LENT = Lent()


def helper(what: str) -> socket.socket:
    """Return the channel of a process with other hashes, which imports the module named and runs its `help_out`.

    That is called with the other end, once the module's `prepare` was called in the spare process. Raise RuntimeError
    where none starts.
    """
    lent = LENT.spare if LENT.spare is not None and LENT.spare.fits() else None
    spare = lent or _own(os.getpid())
    channel = spare.order(what)
    waited = 0.0
    while waited < START_SECONDS:
        if lent is None:
            spare.see_to_it()
        if wait([channel], LOOK_SECONDS):
            if not (pid := channel.recv(MESSAGE)):
                break
            if lent is not None:  # else it is a descendant
                LENT.tell(int(pid))
            return channel
        waited += LOOK_SECONDS
        LENT.tell(None)
    channel.close()
    raise RuntimeError("no spare process starts")


@functools.cache
def _own(pid: int) -> Spare:
    """Return the spare process of this one, whose id is given: it is not for those that are forked of it."""
    return Spare()


def main(descriptor: str) -> NoReturn:
    """Fork helpers as orders come in by a descriptor."""
    die_with_parent()
    orders = socket.socket(fileno=int(descriptor))
    orders.settimeout(IDLE_SECONDS)
    prepared: dict[str, Callable[[socket.socket], None]] = {}
    while True:
        try:
            data, descriptors, _, _ = socket.recv_fds(orders, MESSAGE, 3)
        except TimeoutError:
            if _without_children():
                os._exit(0)
            continue
        if not data:  # its starter ends
            os._exit(0)
        order: dict[str, Any] = json.loads(data)
        if order["what"] not in prepared:
            prepared[order["what"]] = _prepared(order["what"])
        if os.fork() == 0:
            orders.close()
            _help(prepared[order["what"]], order["memory"], descriptors)
        for given in descriptors:
            os.close(given)
        _without_children()


def _prepared(name: str) -> Callable[[socket.socket], None]:
    module = importlib.import_module(name)
    module.prepare()
    gc.collect()
    gc.freeze()
    return module.help_out


def _without_children() -> bool:
    """Bury those that have ended; tell whether none is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def _help(serve: Callable[[socket.socket], None], memory: int, descriptors: list[int]) -> NoReturn:
    """Serve whoever asked, bound as it is, and print where it prints; then exit."""
    status = 1
    try:
        die_with_parent()
        channel, *outputs = descriptors
        for number, output in enumerate(outputs, 1):
            os.dup2(output, number)
            os.close(output)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))
        with contextlib.suppress(ConnectionError), socket.socket(fileno=channel) as asking:
            asking.send(str(os.getpid()).encode())
            serve(asking)
        status = 0
    except BaseException:  # noqa: BLE001 - whoever asked is told that it ended
        traceback.print_exc()
    finally:
        os._exit(status)
