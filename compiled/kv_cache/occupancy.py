"""What of a cache's memory is in use: slots that hold a token that some request reads, of those that are reserved."""

from dataclasses import dataclass

from eagerdiff.compiled.kv_cache.cache import KVCache


@dataclass(frozen=True)
class Occupancy:
    """Count a cache's slots and blocks at one moment."""

    tokens: int
    """Computed tokens of all resident requests, shared ones as often as they are shared."""
    used: int
    """Slots that hold one of them."""
    reserved: int
    """Slots of the blocks that may not be taken: referred to, or being copied."""
    references: int
    """Entries of block tables."""
    blocks: int
    """Blocks that are referred to."""

    @property
    def saved(self) -> int:
        """Blocks that sharing saves."""
        return self.references - self.blocks


def occupancy(cache: KVCache) -> Occupancy:
    """Count what is in use now; cached blocks that nobody refers to are free to be taken, and not reserved."""
    size = cache.storage.block_size
    full: set[int] = set()
    partial: dict[int, int] = {}
    tokens = references = 0
    for found in cache.requests.values():
        tokens += found.computed if found.resident else 0
        references += len(found.table) - found.table.count(None)
        whole = found.computed // size
        full.update(block.index for block in found.table[:whole] if block is not None)
        for index, block in enumerate(found.table[whole:], whole):
            if block is not None:
                partial[block.index] = max(partial.get(block.index, 0), found.computed - index * size, 0)
    used = len(full) * size + sum(held for block, held in partial.items() if block not in full)
    reserved = (len(cache.pool.blocks) - cache.pool.idle) * size
    return Occupancy(tokens, used, reserved, references, len(full | partial.keys()))
