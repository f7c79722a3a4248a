"""A rank: one process of a group, which runs the functions that it is sent until its parent is gone or it fails."""

import ctypes
import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import Connection
from typing import Any, Literal

import torch
import torch.distributed as dist

from eagerdiff.harness.internals.file_store import FileStore

_PR_SET_PDEATHSIG = 1
WAIT_SECONDS = 3600.0
"""How long a collective waits for the other ranks: who watches the ranks sees sooner that none of them computes."""
_LOST = (
    "Connection closed by peer",
    "Connection reset by peer",
    "Broken pipe",
    "Timed out",
    "timeout",
    "Socket closed",
)
"""What a collective says when another rank is gone or does not come."""


@dataclass(frozen=True)
class Answer:
    """Say what came of one rank's part of a call."""

    kind: Literal["returned", "died", "raised", "bereft", "silent"]
    """`bereft`: it raised since another rank was gone or did not come; `silent`: no word of it in time."""
    value: Any = None
    """What it returned; else why it did not, in one line."""
    exhausted: bool = False
    """Whether it raised for want of memory."""


@dataclass(frozen=True)
class Membership:
    """Say which rank of which group a process is."""

    rank: int
    world_size: int
    device: Literal["cpu", "cuda"]
    """gloo joins ranks on the processor, NCCL ranks that have a GPU each."""
    store: str
    """Path of the file by which ranks find each other."""


def serve(membership: Membership, connection: Connection) -> None:
    """Join the group, then answer each pickled (function, arguments) with a pickled Answer; end after a failure.

    A rank that ends closes its connections, by which the others learn of it in the midst of a collective.
    """
    _live_no_longer_than_the_parent()
    try:
        _join(membership)
        connection.send_bytes(pickle.dumps(Answer("returned")))
        while True:
            function, arguments = pickle.loads(connection.recv_bytes())
            connection.send_bytes(pickle.dumps(Answer("returned", _call(function, arguments, membership))))
    except EOFError:
        return
    except BaseException as error:  # noqa: BLE001 - becomes the answer
        connection.send_bytes(pickle.dumps(_told(error)))
    finally:
        os._exit(1)  # threads of the group would keep a process that unwinds


def _live_no_longer_than_the_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is None or not parent.is_alive():
        os._exit(1)


def _join(membership: Membership) -> None:
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"  # else gloo asks what the host's name stands for
    torch.set_num_threads(1)
    on_cuda = membership.device == "cuda"
    if on_cuda:
        torch.cuda.set_device(membership.rank)
    dist.init_process_group(
        "nccl" if on_cuda else "gloo",
        store=FileStore(membership.store, membership.world_size),
        rank=membership.rank,
        world_size=membership.world_size,
        timeout=timedelta(seconds=WAIT_SECONDS),
        device_id=torch.device("cuda", membership.rank) if on_cuda else None,  # connects at once
    )


def _call(function: Callable[..., Any], arguments: tuple[Any, ...], membership: Membership) -> Any:
    """Call with tensors on this rank's device; return a tensor, or a tuple with tensors, on the processor."""
    if membership.device == "cpu":
        return function(*arguments)
    moved = (argument.cuda() if isinstance(argument, torch.Tensor) else argument for argument in arguments)
    result = function(*moved)
    if isinstance(result, tuple):
        return tuple(item.cpu() if isinstance(item, torch.Tensor) else item for item in result)  # pyright: ignore[reportUnknownVariableType]
    return result.cpu() if isinstance(result, torch.Tensor) else result


def _told(error: BaseException) -> Answer:
    text = f"{type(error).__name__}: {' '.join(str(error).split())}"[:400]
    if isinstance(error, RuntimeError) and any(sign in text for sign in _LOST):
        return Answer("bereft", f"lost another rank: {text}")
    return Answer("raised", text, exhausted=isinstance(error, MemoryError | torch.OutOfMemoryError))
