"""A serving engine with a model that only remembers: it drives a cache through a trace and reads everything back."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.kv_cache.cache import KVCache
from eagerdiff.compiled.kv_cache.checked import BreakableFiles
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.pool import OutOfBlocks


class NothingToRun(RuntimeError):
    """Say that a model would be run on no token."""


class LostBlock(RuntimeError):
    """Say that a chunk would be computed without tokens that its window reaches."""


class Engine:
    """Replay a trace on a cache; the steps are those of the reference, and what moves blocks besides."""

    def __init__(
        self,
        open_cache: Callable[[], KVCache],
        chunk: int | None = None,
        files: BreakableFiles | None = None,
    ) -> None:
        """Open a cache, and another one after each restart.

        `chunk`: tokens computed at once at most (chunked prefill); `files`: what the tiers' files lie in.
        """
        self._open_cache, self.chunk, self._files = open_cache, chunk, files or BreakableFiles()
        self.cache = open_cache()
        self.prefilled = 0
        """Tokens that were computed since the last start."""
        self.computed: dict[int, Tensor] = {}
        """What the model computes for a request's tokens: [2, tokens, num_kv_heads, D]."""
        self.reads: list[Tensor] = []

    def step(self, name: str, *arguments: Any) -> None:
        """Do one step of a trace."""
        getattr(self, name)(*arguments)

    def add(self, request: int, tokens: Sequence[int], extra_keys: Sequence[Key], kv: Tensor) -> None:
        """Admit a prompt and compute what the cache does not have; kv [2, tokens, num_kv_heads, D].

        Raises NothingToRun where every token is cached, LostBlock where a chunk misses what its window reaches, and
        OutOfBlocks where no other request is left to preempt.
        """
        self.computed[request] = kv
        self._make_room(lambda: self.cache.admit(request, tokens, extra_keys), sparing=request)
        if not self.cache.missing(request):
            raise NothingToRun(f"request {request}: every token is cached, and the last one's logits are needed")
        self._prefill(request)

    def append(self, request: int, tokens: Sequence[int], kv: Tensor) -> None:
        """Decode further tokens of a request; they may be rejected in the next step.

        kv [2, tokens, num_kv_heads, D]. Raises OutOfBlocks where no other request is left to preempt, and LostBlock
        where a chunk misses what its window reaches.
        """
        self._restore(request)
        self.computed[request] = torch.cat((self.computed[request], kv), dim=1)
        self._make_room(lambda: self.cache.extend(request, tokens, drafts=True), sparing=request)
        self._prefill(request)

    def fork(self, request: int, new: int) -> None:
        """Copy a request, as parallel sampling does."""
        self._restore(request)
        self.computed[new] = self.computed[request]
        self.cache.fork(request, new)

    def rewind(self, request: int, count: int) -> None:
        """Reject the last tokens."""
        self._restore(request)
        self.cache.rewind(request, count)
        self.computed[request] = self.computed[request][:, : self.computed[request].shape[1] - count]

    def free(self, request: int) -> None:
        """End a request."""
        self.cache.free(request)
        del self.computed[request]

    def read(self, request: int) -> None:
        """Gather a request's cache."""
        self._restore(request)
        _, blocks, slots = self.cache.slots(request)
        self.reads.append(self.cache.storage.gather(blocks, slots))

    def preempt(self, request: int) -> None:
        """Take a request's blocks away."""
        if self.cache.requests[request].resident:
            self.cache.preempt(request)

    def resume(self, request: int) -> None:
        """Give a request its blocks again."""
        self._restore(request)

    def evict(self, count: int) -> None:
        """Let other work use the idle blocks: what is cached there is gone from the pool."""
        taken = [self.cache.pool.take() for _ in range(min(count, self.cache.pool.idle))]
        for block in taken:
            self.cache.storage.scrub(block.index)
            self.cache.pool.release(block)

    def end_transfers(self, count: int) -> None:
        """Let some of the copies in flight end."""
        self.cache.transfers.end(count)

    def fail_transfer(self) -> None:
        """Let the next copy fail."""
        self.cache.transfers.fail_next()

    def fail_store(self) -> None:
        """Let a lower tier break off when it next writes a block."""
        self._files.breaks += 1

    def fail_load(self) -> None:
        """Let a lower tier's next read of a block fail."""
        self._files.bad_reads += 1

    def restart(self) -> None:
        """Lose what is in memory: the tiers that outlive the process are opened again, and requests begin anew."""
        requests = self.cache.requests
        self.cache, self.prefilled = self._open_cache(), 0
        self.cache.adopt(requests)

    def counts(self) -> list[int]:
        """Return what was counted since the last start, in the order of the reference's columns."""
        cache, tiers = self.cache, self.cache.tiers
        pool = [self.prefilled, cache.sought, cache.found, cache.pool.evicted, cache.pool.idle]
        moved = {name: count // cache.storage.block_bytes for name, count in tiers.moved.items()}
        each = [figure for tier in tiers.tiers for figure in (tiers.hits[tier.name], moved[tier.name])]
        return [*pool, len(cache.transfers), cache.transfers.failed, tiers.lost, *each]

    def _restore(self, request: int) -> None:
        if not self.cache.requests[request].resident:
            self._make_room(lambda: self.cache.resume(request), sparing=request)
        self._prefill(request)

    def _prefill(self, request: int) -> None:
        while self.cache.requests[request].loading:
            self.cache.transfers.end(1)
        while missing := self.cache.missing(request):
            readable, window = len(self.cache.slots(request)[0]), self.cache.window or missing.start
            if self.cache.budget is None and readable < min(missing.start, window):
                raise LostBlock(
                    f"request {request}: of the {window} tokens before {missing.start} {readable} are there"
                )
            stop = missing.stop if self.chunk is None else min(missing.stop, missing.start + self.chunk)
            self.cache.write(request, self.computed[request][:, missing.start : stop])
            self.prefilled += stop - missing.start

    def _make_room(self, place: Callable[[], None], sparing: int) -> None:
        """Place blocks; while there are none, wait for copies, then preempt the request that came last."""
        while True:
            try:
                return place()
            except OutOfBlocks:
                others = [name for name, found in self.cache.requests.items() if found.resident and name != sparing]
                if len(self.cache.transfers):
                    self.cache.transfers.end()
                elif others:
                    self.cache.preempt(others[-1])
                else:
                    raise
