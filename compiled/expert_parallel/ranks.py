"""A group of ranks: processes that outlive a call, watched from here, and replaced all together when one fails."""

import contextlib
import functools
import math
import multiprocessing
import os
import pickle
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Literal

import torch

from eagerdiff import cpu_usage
from eagerdiff.compiled.expert_parallel.rank import Answer, Membership, serve
from eagerdiff.harness.internals.preloading import COLLECTIVES

GRACE = 2.0
"""Seconds that the other ranks may be idle once one has returned: none returns before all take part in the last
exchange. Also the seconds that they have once one has failed, for each learns of it in an exchange."""
SAMPLE_SECONDS = 0.1
"""How often the ranks' CPU time is read while they are waited for."""
LAZY = 0.02
"""Share of a core up to which ranks that wait count as idle: what polls uses a little."""
_ORDER = ("died", "raised", "bereft", "silent")
"""What explains the rest is told first."""


class RankFailed(RuntimeError):
    """Say in one line what became of each rank that did not return."""


class RankExhausted(RankFailed, MemoryError):
    """Say the same where memory ran out."""


class RankGroup:
    """Run functions on a group of ranks; start it when first needed, and anew after a failure.

    A rank that hangs, dies or raises ends the group. Ranks hang when none of them, nor what they started, computes or
    waits for a core for `seconds`: one that is slow, on a machine that does much else, is waited for.
    """

    def __init__(self, world_size: int, device: Literal["cpu", "cuda"], seconds: float) -> None:
        self.world_size, self.seconds = world_size, seconds
        self.device: Literal["cpu", "cuda"] = device
        self.starts = 0
        """How often the group was started."""
        self._processes: list[Any] = []
        self._connections: list[Connection] = []

    def run(self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a function, one that can be imported, on each rank with arguments of its own; return what each returned.

        The last thing that the function does together with other ranks is an exchange among all.
        Raises RankFailed where a rank raised, died or hangs.
        """
        if not self._connections:
            self._start()
        for connection, mine in zip(self._connections, arguments, strict=True):
            with contextlib.suppress(OSError):  # of a rank that died: there is its answer
                connection.send_bytes(pickle.dumps((function, mine)))
        return self._collect()

    @property
    def pids(self) -> list[int]:
        """The process ids of the ranks, in order; empty before the first call and after a failure."""
        return [process.pid for process in self._processes]

    def end(self) -> None:
        """Kill the ranks."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
            process.close()
        for connection in self._connections:
            connection.close()
        self._processes, self._connections = [], []

    def _start(self) -> None:
        context = _context()
        self.starts += 1
        with tempfile.TemporaryDirectory(prefix="eagerdiff-ranks-") as folder:
            for rank in range(self.world_size):
                ours, theirs = context.Pipe()
                store = os.path.join(folder, "store")
                membership = Membership(rank, self.world_size, self.device, store)
                process = context.Process(target=serve, args=(membership, theirs), daemon=True)
                process.start()
                theirs.close()  # before the next fork: the end of a rank closes its pipe
                self._processes.append(process)
                self._connections.append(ours)
            self._collect()

    def _collect(self) -> list[Any]:
        """Return what every rank returned; end the group and raise RankFailed where one did not."""
        answers: dict[int, Answer] = {}
        idleness, most, deadline = Idleness(self.pids), self.seconds, math.inf
        while len(answers) < self.world_size and idleness.seconds() < most and time.monotonic() < deadline:
            waited_for = [self._connections[rank] for rank in range(self.world_size) if rank not in answers]
            for connection in wait(waited_for, SAMPLE_SECONDS):
                rank = self._connections.index(connection)  # pyright: ignore[reportArgumentType]  all are Connections
                answers[rank] = self._receive(rank)
                most = min(most, GRACE)
                if answers[rank].kind != "returned":
                    deadline = min(deadline, time.monotonic() + GRACE)
        silent = Answer("silent", f"no answer, and no rank computed for {most:g} s, or after another failed")
        told = [answers.get(rank, silent) for rank in range(self.world_size)]
        if any(answer.kind != "returned" for answer in told):
            self.end()
            raise (RankExhausted if any(answer.exhausted for answer in told) else RankFailed)(_reason(told))
        return [answer.value for answer in told]

    def _receive(self, rank: int) -> Answer:
        try:
            return pickle.loads(self._connections[rank].recv_bytes())
        except (EOFError, OSError):
            self._processes[rank].join(GRACE)
            return Answer("died", _end_of(self._processes[rank].exitcode))


class Idleness:
    """Tell for how long no process of a group, nor what it started, has computed or waited for a core."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = pids
        self._since, self._used = time.monotonic(), 0.0

    def seconds(self) -> float:
        """Return the seconds; 0 where one computes just now."""
        now, usages = time.monotonic(), [cpu_usage(pid) for pid in self._pids]
        used = sum(usage.seconds for usage in usages)
        if any(usage.busy for usage in usages) or used - self._used > LAZY * max(1.0, now - self._since):
            self._since, self._used = now, used
        return now - self._since


@functools.cache
def rank_group(world_size: int, device: Literal["cpu", "cuda"], seconds: float) -> RankGroup:
    """Return this process' group of a size: starting one costs more than many calls."""
    return RankGroup(world_size, device, seconds)


def _context() -> Any:
    """Fork this process where that is safe, having one thread: what it has imported need not be imported again.

    Else a server that imported torch is forked; it does not know what this process planted or patched.
    """
    if len(os.listdir("/proc/self/task")) == 1 and not torch.cuda.is_initialized():
        return multiprocessing.get_context("fork")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(COLLECTIVES))
    return context


def _end_of(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return f"ended by {signal.Signals(-exitcode).name}"
    return "its connection is closed" if exitcode is None else f"ended with status {exitcode}"


def _reason(answers: Sequence[Answer]) -> str:
    failed = [(rank, answer) for rank, answer in enumerate(answers) if answer.kind != "returned"]
    failed.sort(key=lambda item: _ORDER.index(item[1].kind))
    return "; ".join(f"rank {rank} of {len(answers)} {answer.kind}: {answer.value}" for rank, answer in failed)
