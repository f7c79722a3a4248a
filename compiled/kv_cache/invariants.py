"""What holds of a cache after every step, whatever the trace."""

from collections import Counter
from collections.abc import Mapping

import torch
from torch import Tensor

from eagerdiff.compiled.kv_cache.cache import KVCache


class BrokenInvariant(AssertionError):
    """Say which invariant does not hold."""


def check(cache: KVCache, computed: Mapping[int, Tensor], ghost: dict[bytes, Tensor]) -> None:
    """Raise BrokenInvariant unless the blocks, their references and their content agree.

    `computed` is what the model computed for each request [2, tokens, K, D]; `ghost` keeps what each name stands for.
    """
    pool = cache.pool
    tables = [found.table for found in cache.requests.values() if found.resident]
    named = Counter(block.index for table in tables for block in table if block is not None)
    for block in pool.blocks:
        require(block.references == named[block.index], f"block {block.index}: {block.references} references")
        require(block.transfers >= 0, f"block {block.index}: {block.transfers} transfers")
    idle = {block.index for block in pool.blocks if block.idle}
    require(idle == set(pool.idle_blocks), "the blocks that may be taken are not those that nobody holds")
    require(len(named) + len(idle) + _in_flight(cache) == len(pool.blocks), "a block is in two roles, or in none")
    _check_tables(cache, computed, ghost)
    for block in pool.blocks:
        if block.name is not None:
            require(len(block.name) >= 16, f"block {block.index}: a name of {len(block.name)} bytes can be forged")
            require(pool.find(block.name) is block, f"block {block.index}: its name finds another")
            held = cache.storage.read(block.index)
            require(_equal(held, ghost[block.name]), f"block {block.index}: its name stands for another content")


def _check_tables(cache: KVCache, computed: Mapping[int, Tensor], ghost: dict[bytes, Tensor]) -> None:
    """Hold each request's full blocks against what the model computed, and remember what their names stand for."""
    size = cache.storage.block_size
    for request, found in cache.requests.items():
        for index in range(found.computed // size if found.resident else 0):
            expected = computed[request][:, index * size : (index + 1) * size]
            ghost.setdefault(found.name(index), expected)
            block = found.table[index]
            if block is not None and not found.loading:
                require(_equal(cache.storage.read(block.index), expected), f"request {request}: block {index} is wrong")


def _in_flight(cache: KVCache) -> int:
    """Count the blocks that nobody refers to and that are being copied."""
    return sum(not block.references and block.transfers > 0 for block in cache.pool.blocks)


def _equal(one: Tensor, other: Tensor) -> bool:
    return torch.equal(one.float(), other.float())


def require(holds: bool, what: str) -> None:
    """Raise BrokenInvariant, with what is wrong, unless something holds."""
    if not holds:
        raise BrokenInvariant(what)
