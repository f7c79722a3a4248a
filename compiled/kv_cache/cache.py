"""The KV cache of a serving engine: block tables over a shared pool, prefix hits, copies on write, tiers below.

What a block holds does not change while it has a name, a second reference or a copy in flight: who would write into it
takes a copy of it first.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.pool import Block, BlockPool, OutOfBlocks
from eagerdiff.compiled.kv_cache.request import Request
from eagerdiff.compiled.kv_cache.storage import BlockStorage
from eagerdiff.compiled.kv_cache.tiers import Tiers
from eagerdiff.compiled.kv_cache.transfers import Transfer, Transfers


class KVCache:
    """Place the keys and values of requests in blocks.

    An engine admits a request, computes the tokens that `missing` names, hands their keys and values to `write`, and
    reads through `slots`. Whatever needs blocks raises OutOfBlocks and changes nothing: the engine ends transfers or
    preempts another request, and tries again.
    """

    def __init__(
        self,
        storage: BlockStorage,
        pool: BlockPool,
        tiers: Tiers,
        transfers: Transfers,
        *,
        window: int | None = None,
        budget: int | None = None,
        prefix_caching: bool = True,
    ) -> None:
        """`window`: tokens that are read at most; `budget`: full blocks that a request keeps at most."""
        self.storage, self.pool, self.tiers, self.transfers = storage, pool, tiers, transfers
        self.window, self.budget, self.prefix_caching = window, budget, prefix_caching
        self.requests: dict[int, Request] = {}
        self.sought = 0
        """Blocks that were looked for when requests were placed."""
        self.found = 0
        """Of those, the ones that the pool had; what lower tiers had is theirs to count."""

    def admit(self, request: int, tokens: Sequence[int], extra_keys: Sequence[Key] = ()) -> None:
        """Place a new request's prompt; raise OutOfBlocks where there is no room."""
        found = Request(list(tokens), tuple(extra_keys), self.storage.block_size)
        self._place(found)
        self.requests[request] = found

    def adopt(self, requests: Mapping[int, Request]) -> None:
        """Take over the requests of a cache that is no more; none of them is resident."""
        for name, found in requests.items():
            found.leave()
            found.loading = 0
            self.requests[name] = found

    def resume(self, request: int) -> None:
        """Place a preempted request again; raise OutOfBlocks where there is no room."""
        self._place(self.requests[request])

    def extend(self, request: int, tokens: Sequence[int], *, drafts: bool = False) -> None:
        """Make room for further tokens; those before them are drafts no longer.

        Raises OutOfBlocks where there is none.
        """
        found = self.requests[request]
        needed = -(-(len(found.tokens) + len(tokens)) // self.storage.block_size) - found.blocks
        copies = self._shared_end(found)
        self._need(needed + copies)
        if copies:
            self._own(found, found.blocks - 1)
        elif len(found.tokens) % self.storage.block_size:
            self.pool.forget(found.block(-1))
        found.table += [self.pool.take() for _ in range(needed)]
        found.drafts = len(tokens) if drafts else 0
        found.tokens.extend(tokens)

    def fork(self, request: int, new: int) -> None:
        """Give a second request the tokens and the blocks of the first; whichever writes into a block copies it."""
        found = self.requests[request]
        self.requests[new] = found.copy()
        for block in found.table:
            if block is not None:
                self.pool.share(block)

    def rewind(self, request: int, count: int) -> None:
        """Forget the last `count` tokens, rejected drafts of the last `extend`; raise ValueError for more of them."""
        found = self.requests[request]
        if count > found.drafts:
            raise ValueError(f"request {request} has {found.drafts} drafts, not {count}")
        found.drafts -= count
        self._release(found.truncate(len(found.tokens) - count))

    def preempt(self, request: int) -> None:
        """Take a request's blocks away; what is cached of them may be found again."""
        self._release(self.requests[request].leave())

    def free(self, request: int) -> None:
        """Forget a request."""
        self._release(self.requests.pop(request).leave())

    def missing(self, request: int) -> range:
        """Return the positions to compute next; those that are being loaded are not among them, while that lasts."""
        found = self.requests[request]
        return range(found.computed, len(found.tokens))

    def write(self, request: int, kv: Tensor) -> None:
        """Write the keys and values [2, tokens, num_kv_heads, D] of the next missing tokens."""
        found = self.requests[request]
        size = self.storage.block_size
        start, stop = found.computed, found.computed + kv.shape[1]
        for index in range(start // size, -(-stop // size)):
            low, high = max(start, index * size), min(stop, (index + 1) * size)
            block = found.table[index]
            if block is not None and block.name is None:  # what has a name is there already
                self.storage.write(block.index, kv[:, low - start : high - start], low - index * size)
        found.computed = stop
        self._publish(found, start // size)
        self._drop_unimportant(found)
        self._release_passed(found)

    def slots(self, request: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return what attention reads: positions, blocks and slots in them, int64 [S] each."""
        found = self.requests[request]
        size = self.storage.block_size
        oldest = 0 if self.window is None else max(0, found.computed - self.window)
        seen = [p for p in range(oldest, found.computed) if found.table[p // size] is not None]
        blocks = [found.block(p // size).index for p in seen]
        positions, numbers, slots = (torch.tensor(one) for one in (seen, blocks, [p % size for p in seen]))
        return positions.long(), numbers.long(), slots.long()

    def _place(self, found: Request) -> None:
        """Give a request its blocks: those that hold its prefix already, and others for the rest."""
        hits = self._hits(found)
        loads = self._loadable(found, len(hits))
        kept = [index for index in range(len(hits), found.blocks) if index not in found.dropped]
        self._need(len(kept) + sum(block.idle for block in hits))
        self.sought += self._shareable(found)
        self.found += len(hits)
        for block in hits:  # before any other is taken: an idle block that was hit must not be reused
            self.pool.share(block)
        fresh = {index: self.pool.take() for index in kept}
        found.table = [*hits, *(fresh.get(index) for index in range(len(hits), found.blocks))]
        found.computed = (len(hits) + loads) * self.storage.block_size
        found.resident = True
        for index in range(len(hits), len(hits) + loads):
            self._load(found, index)

    def _hits(self, found: Request) -> list[Block]:
        """Return the cached blocks that hold its leading tokens, short of the last: its logits are needed."""
        hits: list[Block] = []
        for index in range(self._shareable(found)):
            block = self.pool.find(found.name(index))
            if block is None:
                break
            hits.append(block)
        return hits

    def _loadable(self, found: Request, start: int) -> int:
        """Count the blocks after the hits that lower tiers hold."""
        count = 0
        while start + count < self._shareable(found) and found.name(start + count) in self.tiers:
            count += 1
        return count

    def _shareable(self, found: Request) -> int:
        """Count the leading blocks that others may have computed."""
        if not self.prefix_caching:
            return 0
        return min([(len(found.tokens) - 1) // self.storage.block_size, *found.dropped])

    def _load(self, found: Request, index: int) -> None:
        """Begin to copy a block up from a lower tier; if that fails, its tokens and the ones after are missing."""
        block, name = found.block(index), found.name(index)
        found.loading += 1
        self.pool.begin_transfer(block)

        def settle(done: bool) -> None:
            found.loading -= 1
            if done:
                self.pool.publish(block, name)
            self.pool.end_transfer(block)
            if not done and index < len(found.table) and found.table[index] is block:
                found.computed = min(found.computed, index * self.storage.block_size)

        self.transfers.begin(Transfer(lambda: self.storage.write(block.index, self.tiers.load(name)), settle))

    def _store(self, block: Block) -> None:
        """Begin to copy a block down to the tiers."""
        name = block.name
        assert name is not None
        self.pool.begin_transfer(block)
        self.transfers.begin(
            Transfer(
                lambda: self.tiers.store(name, self.storage.read(block.index)),
                lambda done: self.pool.end_transfer(block),
            )
        )

    def _publish(self, found: Request, first: int) -> None:
        """Name the full blocks that are computed, from the first of those on, so that others find them."""
        if not self.prefix_caching:
            return
        for index in range(first, min([found.computed // self.storage.block_size, *found.dropped])):
            block = found.table[index]
            if block is not None:
                self.pool.publish(block, found.name(index))

    def _drop_unimportant(self, found: Request) -> None:
        """Give up the least important full block whenever one more than the budget fills, never it (PagedEviction).

        Blocks that hold drafts are not full yet.
        """
        if self.budget is None:
            return
        while found.weighed < min(found.computed, len(found.tokens) - found.drafts) // self.storage.block_size:
            older = [index for index in range(found.weighed) if found.table[index] is not None]
            found.weighed += 1
            if len(older) >= self.budget:
                least = min(older, key=lambda index: importance(self.storage.read(found.block(index).index)))
                found.dropped.add(least)
                self._give_up(found, least)

    def _release_passed(self, found: Request) -> None:
        """Give up the blocks before the window of every token to come."""
        for index in range(found.first_needed(self.window)):
            if found.table[index] is not None:
                self._give_up(found, index)

    def _give_up(self, found: Request, index: int) -> None:
        block = found.block(index)
        found.table[index] = None
        self._release([block])

    def _release(self, blocks: Sequence[Block]) -> None:
        """Refer to blocks once less; what is cached and no longer referred to is copied to the tiers."""
        for block in blocks:
            self.pool.release(block)
            if self.tiers.tiers and block.name is not None and block.idle and block.name not in self.tiers:
                self._store(block)

    def _need(self, count: int) -> None:
        """Raise OutOfBlocks where fewer blocks are idle."""
        if self.pool.idle < count:
            raise OutOfBlocks(f"{count} blocks are needed and {self.pool.idle} are idle")

    def _shared_end(self, found: Request) -> int:
        """Return 1 where the next token goes into a block that must not change, else 0."""
        if len(found.tokens) % self.storage.block_size == 0:
            return 0
        block = found.block(-1)
        return int(block.references > 1 or block.transfers > 0)

    def _own(self, found: Request, index: int) -> None:
        """Put a copy in the place of a block that others hold."""
        old = found.block(index)
        new = found.table[index] = self.pool.take()
        self.storage.copy(old.index, new.index)
        self._release([old])


def importance(kv: Tensor) -> float:
    """Return a block's mean ratio of value norm to key norm, of kv [2, P, K, D] (PagedEviction, arXiv 2509.04377)."""
    keys, values = kv.double().flatten(2).norm(dim=2)
    return float((values / keys.clamp(min=1e-9)).mean())
