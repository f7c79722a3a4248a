"""A serving engine over another project's KV cache manager: the memory is here, the manager says what lies where."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from eagerdiff.compiled.adapters.kv_cache.held import Held, Placed
from eagerdiff.compiled.adapters.kv_cache.manager import Manager, NoRoom
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.invariants import require

Rows = npt.NDArray[np.uint8]
GARBAGE = 0xA5
ELSEWHERE = frozenset(("end_transfers", "fail_transfer", "fail_store", "fail_load"))
"""Steps of parts that no manager here has: copies in flight, and tiers below."""


class Engine:
    """Replay a trace on a manager and hold it to its promises; what a manager has none of moves no block here.

    Of tiers, failing copies and restarts of a process a manager knows nothing: a restart opens a new one, the rest is
    left out. Forking is admitting a second request with the same tokens; a manager that cannot reject tokens frees the
    request and admits what is left of it.
    """

    def __init__(self, open_manager: Callable[[], Manager], num_blocks: int, size: int, chunk: int | None) -> None:
        self._open, self.num_blocks, self.size, self.chunk = open_manager, num_blocks, size, chunk
        self.requests: dict[int, Placed] = {}
        self.rows: dict[int, Rows] = {}
        """What the model computes for a request's tokens, as bytes, [tokens, bytes]."""
        self.memory: Rows = np.zeros((0, 0), np.uint8)
        self._shared = False
        """Whether a block was written into that others hold, so that what they find must be looked at."""
        self._start()

    def _start(self) -> None:
        self.manager = self._open()
        self.held = Held(self.manager, self.num_blocks, self.size)
        self.memory = np.zeros((0, 0), np.uint8)

    def step(self, name: str, *arguments: Any) -> None:
        """Do one step of a trace and check what must hold after it; raise BrokenInvariant where it does not."""
        if name not in ELSEWHERE:
            getattr(self, name)(*arguments)
        self.held.check()
        if self._shared:
            for request, found in self.requests.items():
                if found.resident:
                    self._check_content(request, found, found.computed)
        self._shared = False

    def add(self, request: int, tokens: Sequence[int], keys: Sequence[Key], kv: Tensor) -> None:
        """Admit a prompt and compute what the cache does not have; kv [2, tokens, num_kv_heads, D]."""
        self.rows[request] = as_rows(kv)
        self.requests[request] = Placed([*tokens], tuple(keys))
        self._restore(request)

    def append(self, request: int, tokens: Sequence[int], kv: Tensor) -> None:
        """Compute further tokens of a request; kv [2, tokens, num_kv_heads, D]."""
        found = self._restore(request)
        self.rows[request] = np.concatenate((self.rows[request], as_rows(kv)))
        self._make_room(request, lambda: self.manager.extend(request, tokens))
        found.tokens.extend(tokens)
        self._follow(request, found, len(found.table))
        self._compute(request, found)

    def fork(self, request: int, new: int) -> None:
        """Admit a second request with the tokens of the first."""
        found = self._restore(request)
        self.rows[new], self.requests[new] = self.rows[request], Placed([*found.tokens], found.keys)
        self._restore(new)

    def rewind(self, request: int, count: int) -> None:
        """Reject the last tokens."""
        found = self._restore(request)
        done = self.manager.rewind(request, count)
        if not done:
            self._leave(request, found)
        del found.tokens[-count:]
        self.rows[request] = self.rows[request][: len(found.tokens)]
        found.computed = min(found.computed, len(found.tokens))
        if done:
            self._follow(request, found, len(found.table))
        self._restore(request)

    def free(self, request: int) -> None:
        """End a request."""
        found = self.requests.pop(request)
        if found.resident:
            self._leave(request, found)
        del self.rows[request]

    def preempt(self, request: int) -> None:
        """Take a request's blocks away."""
        found = self.requests[request]
        if found.resident:
            self._leave(request, found)

    def resume(self, request: int) -> None:
        """Give a request its blocks again."""
        self._restore(request)

    def read(self, request: int) -> Rows:
        """Gather a request's cache, as bytes [tokens, bytes]."""
        found = self._restore(request)
        return self.memory[self.manager.slots(request)[: found.computed]]

    def evict(self, count: int) -> None:
        """Let other work use idle blocks."""
        taken = self.manager.take(min(count, self.num_blocks - len(self.held.holders)))
        self.held.hold(taken)
        self.held.release(taken)
        for block in taken:
            self.memory[block * self.size : (block + 1) * self.size] = GARBAGE

    def restart(self) -> None:
        """Lose the manager and the memory; requests begin anew."""
        for found in self.requests.values():
            found.leave()
        self._start()

    def end(self) -> None:
        """Free what is left; everything must be idle then, or BrokenInvariant is raised."""
        for request in [*self.requests]:
            self.free(request)
        self.held.check()

    def _restore(self, request: int) -> Placed:
        found = self.requests[request]
        if not found.resident:
            cached = self._make_room(request, lambda: self.manager.admit(request, found.tokens, found.keys))
            wanted = self.held.hits(found) * self.size
            require(cached < len(found.tokens), f"request {request}: all of {cached} tokens are cached, none is to run")
            require(cached == wanted, f"request {request}: {cached} tokens are cached where {wanted} are there")
            found.computed, found.published, found.resident = cached, cached // self.size, True
            self._follow(request, found, cached // self.size)
            self._check_content(request, found, cached)
        self._compute(request, found)
        return found

    def _make_room(self, request: int, place: Callable[[], Any]) -> Any:
        while True:
            try:
                return place()
            except NoRoom:
                others = [one for one, found in self.requests.items() if found.resident and one != request]
                require(bool(others), f"request {request} finds no room, and no other holds a block")
                self._leave(others[-1], self.requests[others[-1]])

    def _compute(self, request: int, found: Placed) -> None:
        """Write what is missing, a chunk at a time."""
        rows, total = self.rows[request], len(found.tokens)
        if found.computed == total:
            return
        if not len(self.memory):
            self.memory = np.full(((self.num_blocks + 1) * self.size, rows.shape[1]), GARBAGE, np.uint8)
        while found.computed < total:
            stop = total if self.chunk is None else min(total, found.computed + self.chunk)
            self.memory[found.slots[found.computed : stop]] = rows[found.computed : stop]
            blocks = found.table[found.computed // self.size : -(-stop // self.size)]
            self._shared = self._shared or any(self.held.holders[block] > 1 for block in blocks)
            found.computed = stop
            findable = self.manager.computed(request, stop)
            self._follow(request, found, len(found.table))
            self.held.publish(found, findable)

    def _follow(self, request: int, found: Placed, fresh: int) -> None:
        """Take over the table that the manager has now; blocks from `fresh` on must have been nobody's."""
        slots = self.manager.slots(request)
        if slots is found.slots or np.array_equal(slots, found.slots):
            return
        require(len(slots) >= len(found.tokens), f"request {request}: {len(slots)} slots, {len(found.tokens)} tokens")
        found.slots = slots
        table: list[int] = (slots[:: self.size] // self.size).tolist()
        require(len(set(table)) == len(table), f"request {request}: a block is twice in its table {table}")
        old, found.table = found.table, table
        kept = {*old}
        now = {*table}
        self.held.share([block for block in table[:fresh] if block not in kept])
        self.held.hold([block for block in table[fresh:] if block not in kept])
        self.held.release([block for block in reversed(old) if block not in now])

    def _leave(self, request: int, found: Placed) -> None:
        findable = self.manager.free(request)
        self.held.publish(found, findable)
        self.held.release([*reversed(found.table)])
        found.leave()

    def _check_content(self, request: int, found: Placed, count: int) -> None:
        if not count:
            return
        slots = found.slots[:count]
        right = (self.memory[slots] == self.rows[request][:count]).all(axis=1)
        if not right.all():
            position = int(right.argmin())
            require(False, f"request {request}: token {position} lies in slot {slots[position]}, and is not there")


def as_rows(kv: Tensor) -> Rows:
    """Return keys and values [2, tokens, num_kv_heads, D] as bytes, [tokens, bytes]."""
    flat = kv.transpose(0, 1).contiguous().view(torch.uint8)
    return flat.reshape(len(flat), -1).numpy(force=True)


def replay_on(open_manager: Callable[[int, int, bool], Manager]) -> Callable[..., list[Tensor]]:
    """Return `kv_cache` over a manager that is opened with the blocks, their size and whether prefixes are cached.

    It returns what each read gives, keys and values [2, tokens, num_kv_heads, D], of the dtype of `like`.
    """

    def kv_cache(
        steps: Sequence[Sequence[Any]], *, like: Tensor, block_size: int, num_blocks: int, prefix_caching: bool = True,
        chunk: int | None = None, window: int | None = None, **moved: Any,
    ) -> list[Tensor]:  # fmt: skip
        engine = Engine(lambda: open_manager(num_blocks, block_size, prefix_caching), num_blocks, block_size, chunk)
        reads: list[Tensor] = []
        for name, *arguments in steps:
            if name == "read":
                engine.step("resume", *arguments)
                rows = engine.read(*arguments)
                reads.append(as_kv(rows if window is None else rows[-window:], like))
            else:
                engine.step(name, *arguments)
        engine.end()
        return reads

    return kv_cache


def as_kv(rows: Rows, like: Tensor) -> Tensor:
    """Return bytes [tokens, bytes] as keys and values [2, tokens, num_kv_heads, D] like `like` [2, 0, K, D]."""
    flat = torch.from_numpy(rows.copy()).view(like.dtype)
    return flat.view(len(rows), 2, *like.shape[2:]).transpose(0, 1).contiguous().to(like.device)
