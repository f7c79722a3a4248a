"""What a KV cache must count: a model of its blocks by what they hold, with neither memory nor hashes.

The contract, where it fixes more than values:

- A block is named when it is full and computed, by all tokens up to its end and by the request's extra keys: texts,
  numbers and bytes, equal only where their types are. Of two blocks with one name the first is found.
- A request that is placed looks for its leading full blocks, short of its last token; what the pool has is shared, the
  blocks after those that a tier has are loaded, all others are computed.
- Blocks without a name are reused first, then the one that was freed first: a request frees its last block first, so
  that the end of a prefix goes before its start. Reusing a named block is an eviction; other requests' reads are none.
- A named block that nobody refers to any more is copied to the first tier, unless one has it. Until a copy ends its
  blocks are held. `Random(seed)` picks which ends: `randrange` of those in flight, in the order in which they began.
- A tier drops the least recently used block: being stored, stored again and loaded are uses, being asked for is none.
  What it drops goes to the next one, what a lower one gives goes to the first as well. Past the last it is gone.
- Where blocks run out, all copies are waited for; then the resident request that was added last is preempted.
- After a restart the pool, host memory and copies in flight are gone, files are there in the order in which they were
  stored, a write that broke off is not, and requests begin anew. A file that cannot be read is removed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import torch
from torch import Tensor

from eagerdiff.reference.kv_tiers import Failed, Name, Tiers


def count_blocks(
    steps: Sequence[Sequence[Any]],
    *,
    block_size: int,
    num_blocks: int,
    tiers: str,
    tier_blocks: int,
    prefix_caching: bool,
    seed: int,
    window: int | None = None,
    **moved: Any,
) -> Tensor:
    """Return what has been counted since the last start after each step of a trace, int64 [steps, 8 + 2 · tiers].

    Columns: tokens computed; blocks sought, found in the pool and evicted from it; blocks idle now; copies in flight
    now and failed; blocks that a tier could not write back; then, of each tier, blocks loaded and blocks moved. All of
    `moved` (layouts, chunks, bits of an index) changes no count.
    """
    kinds = [kind for kind in tiers.split("_") if kind != "none"]
    model = _Model(block_size, num_blocks, Tiers(kinds, tier_blocks), prefix_caching, seed, window)
    rows: list[list[int]] = []
    for name, *arguments in steps:
        getattr(model, name)(*arguments)
        rows.append(model.counts())
    return torch.tensor(rows, dtype=torch.int64).view(len(rows), 8 + 2 * len(kinds))


class _Full(Exception):
    """Say that there are too few idle blocks."""


@dataclass(eq=False)
class _Block:
    held: int = 0
    """Tables and copies that hold it."""
    name: Name | None = None


@dataclass
class _Request:
    tokens: tuple[int, ...]
    keys: tuple[Any, ...]
    table: list[_Block | None] = field(default_factory=list["_Block | None"])
    computed: int = 0
    loading: int = 0
    drafts: int = 0
    resident: bool = False

    def leave(self) -> list[_Block]:
        blocks = [block for block in reversed(self.table) if block]
        self.table, self.computed, self.resident = [], 0, False
        return blocks


class _Model:
    """Play the steps of a trace on names."""

    def __init__(self, size: int, blocks: int, tiers: Tiers, caching: bool, seed: int, window: int | None) -> None:
        self.size, self.blocks, self.tiers, self.caching = size, blocks, tiers, caching
        self.seed, self.window = seed, window
        self.requests: dict[int, _Request] = {}
        self._start()

    def _start(self) -> None:
        self.idle = [_Block() for _ in range(self.blocks)]
        self.cached: dict[Name, _Block] = {}
        self.flying: list[tuple[Callable[[], None], Callable[[bool], None]]] = []
        self.random = Random(self.seed)
        self.to_fail = self.failed = self.computed = self.sought = self.found = self.evicted = 0

    def counts(self) -> list[int]:
        """Return the figures so far: see `count_blocks`."""
        tiers = self.tiers
        pool = [self.computed, self.sought, self.found, self.evicted, len(self.idle)]
        return [
            *pool, len(self.flying), self.failed, tiers.lost,
            *(figure for pair in zip(tiers.loaded, tiers.moved, strict=True) for figure in pair),
        ]  # fmt: skip

    def add(self, request: int, tokens: Sequence[int], keys: Sequence[Any], kv: Tensor) -> None:
        found = _Request(tuple(tokens), tuple(keys))
        self._make_room(lambda: self._place(found), found)
        self.requests[request] = found
        self._compute(found)

    def append(self, request: int, tokens: Sequence[int], kv: Tensor) -> None:
        found = self._restored(request)
        self._make_room(lambda: self._extend(found, tokens), found)
        self._compute(found)

    def fork(self, request: int, new: int) -> None:
        found = self._restored(request)
        table = [*found.table]
        self.requests[new] = _Request(found.tokens, found.keys, table, found.computed, 0, found.drafts, True)
        for block in table:
            if block:
                self._hold(block)

    def rewind(self, request: int, count: int) -> None:
        found = self._restored(request)
        found.drafts -= count
        found.tokens = found.tokens[:-count]
        found.computed = min(found.computed, len(found.tokens))
        kept = -(-len(found.tokens) // self.size)
        gone = [block for block in found.table[kept:] if block]
        del found.table[kept:]
        self._release(gone)

    def free(self, request: int) -> None:
        self._release(self.requests.pop(request).leave())

    def preempt(self, request: int) -> None:
        self._release(self.requests[request].leave())

    def read(self, request: int) -> None:
        self._restored(request)

    resume = read

    def evict(self, count: int) -> None:
        for block in [self._take() for _ in range(min(count, len(self.idle)))]:
            self._let_go(block)

    def end_transfers(self, count: int | None = None) -> None:
        while self.flying and count != 0:
            run, settle = self.flying.pop(self.random.randrange(len(self.flying)))
            done = not self.to_fail
            self.to_fail -= not done
            try:
                if done:
                    run()
            except Failed:
                done = False
            self.failed += not done
            settle(done)
            count = None if count is None else count - 1

    def fail_transfer(self) -> None:
        self.to_fail += 1

    def fail_store(self) -> None:
        self.tiers.breaks += 1

    def fail_load(self) -> None:
        self.tiers.bad_reads += 1

    def restart(self) -> None:
        for found in self.requests.values():
            found.leave()
        self._start()
        self.tiers.clear()

    def _restored(self, request: int) -> _Request:
        found = self.requests[request]
        if not found.resident:
            self._make_room(lambda: self._place(found), found)
        self._compute(found)
        return found

    def _make_room(self, place: Callable[[], None], sparing: _Request) -> None:
        while True:
            try:
                return place()
            except _Full:
                others = [one for one in self.requests.values() if one.resident and one is not sparing]
                if self.flying:
                    self.end_transfers()
                else:
                    self._release(others[-1].leave())

    def _place(self, found: _Request) -> None:
        leading = [self._name(found, index) for index in range((len(found.tokens) - 1) // self.size * self.caching)]
        hits = _while(leading, self.cached)
        loads = _while(leading[len(hits) :], self.tiers)
        shared = [self.cached[name] for name in hits]
        fresh = -(-len(found.tokens) // self.size) - len(hits)
        if len(self.idle) < fresh + sum(not block.held for block in shared):
            raise _Full
        self.sought += len(leading)
        self.found += len(hits)
        for block in shared:
            self._hold(block)
        found.table = [*shared, *(self._take() for _ in range(fresh))]
        found.computed, found.resident = (len(hits) + len(loads)) * self.size, True
        for index, name in enumerate(loads, len(hits)):
            self._load(found, index, name)

    def _extend(self, found: _Request, tokens: Sequence[int]) -> None:
        fresh = -(-(len(found.tokens) + len(tokens)) // self.size) - len(found.table)
        last = found.table[-1] if len(found.tokens) % self.size else None
        shared = last is not None and last.held > 1
        if len(self.idle) < fresh + shared:
            raise _Full
        if last is not None and shared:
            found.table[-1] = self._take()
            self._release([last])
        elif last is not None and last.name:
            del self.cached[last.name]
            last.name = None
        found.table += [self._take() for _ in range(fresh)]
        found.tokens, found.drafts = found.tokens + tuple(tokens), len(tokens)

    def _compute(self, found: _Request) -> None:
        """Wait for what is being loaded, compute the rest, name what is full and give up what no window reaches."""
        while found.loading:
            self.end_transfers(1)
        start, found.computed = found.computed, len(found.tokens)
        if start == found.computed:
            return
        self.computed += found.computed - start
        for index in range(start // self.size, found.computed // self.size * self.caching):
            self._publish(found.table[index], self._name(found, index))
        passed = 0 if self.window is None else max(0, found.computed - found.drafts - self.window) // self.size
        for index, block in enumerate(found.table[:passed]):
            if block:
                found.table[index] = None
                self._release([block])

    def _name(self, found: _Request, index: int) -> Name:
        return found.tokens[: (index + 1) * self.size], found.keys

    def _publish(self, block: _Block | None, name: Name) -> None:
        if block and block.name is None and name not in self.cached:
            block.name, self.cached[name] = name, block

    def _load(self, found: _Request, index: int, name: Name) -> None:
        block = found.table[index]
        assert block is not None
        found.loading += 1
        self._hold(block)

        def settle(done: bool) -> None:
            found.loading -= 1
            if done:
                self._publish(block, name)
            else:
                found.computed = min(found.computed, index * self.size)
            self._let_go(block)

        self.flying.append((lambda: self.tiers.load(name), settle))

    def _release(self, blocks: Sequence[_Block]) -> None:
        for block in blocks:
            self._let_go(block)
            name = block.name
            if self.tiers.held and name and not block.held and name not in self.tiers:
                self._hold(block)
                self.flying.append(
                    (lambda name=name: self.tiers.store(name), lambda _, block=block: self._let_go(block))
                )

    def _take(self) -> _Block:
        block = self.idle.pop(0)
        if block.name:
            self.evicted += 1
            del self.cached[block.name]
            block.name = None
        block.held = 1
        return block

    def _hold(self, block: _Block) -> None:
        if not block.held:
            self.idle.remove(block)
        block.held += 1

    def _let_go(self, block: _Block) -> None:
        block.held -= 1
        if not block.held:
            self.idle.insert(len(self.idle) if block.name else 0, block)


def _while(names: Sequence[Name], there: Any) -> list[Name]:
    """Return the leading names that are there."""
    found: list[Name] = []
    for name in names:
        if name not in there:
            break
        found.append(name)
    return found
