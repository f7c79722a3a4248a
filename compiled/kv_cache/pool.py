"""The pool of physical blocks: who refers to each, which may be reused, and in which order."""

from collections import OrderedDict
from dataclasses import dataclass

from eagerdiff.compiled.kv_cache.hashing import bucket


class OutOfBlocks(Exception):
    """Say that every block is in use."""


@dataclass
class Block:
    """Describe one physical block."""

    index: int
    references: int = 0
    """Block tables that name it."""
    transfers: int = 0
    """Copies to or from other tiers in flight: until they end it must not be reused."""
    name: bytes | None = None
    """Digest of what it holds, where it is full and may be shared."""

    @property
    def idle(self) -> bool:
        """Whether nothing holds it: it may be reused."""
        return not self.references and not self.transfers


class BlockPool:
    """Hand blocks out, count references, and keep what was freed for later hits until its block is needed.

    free, cached and used partition the pool: a cached block is free to be taken, the least recently used first.
    """

    def __init__(self, num_blocks: int, *, hash_bits: int = 64) -> None:
        self.blocks = [Block(index) for index in range(num_blocks)]
        self._hash_bits = hash_bits
        self._idle: OrderedDict[int, Block] = OrderedDict((block.index, block) for block in self.blocks)
        """Blocks without a reference or a transfer, in the order of reuse."""
        self._cached: dict[int, list[Block]] = {}
        """Named blocks by the first bits of their digest: several may share them."""
        self.evicted = 0
        """Named blocks that were reused."""

    @property
    def idle(self) -> int:
        """How many blocks may be taken at once."""
        return len(self._idle)

    @property
    def idle_blocks(self) -> tuple[int, ...]:
        """Their numbers, in the order of reuse."""
        return tuple(self._idle)

    def take(self) -> Block:
        """Return an idle block, one that holds nothing worth keeping first; raise OutOfBlocks."""
        if not self._idle:
            raise OutOfBlocks
        _, block = self._idle.popitem(last=False)
        if block.name is not None:
            self.evicted += 1
            self.forget(block)
        block.references = 1
        return block

    def find(self, name: bytes) -> Block | None:
        """Return the block that holds the content of this digest, or None."""
        return next(
            (block for block in self._cached.get(bucket(name, self._hash_bits), ()) if block.name == name), None
        )

    def share(self, block: Block) -> Block:
        """Refer to a block once more."""
        block.references += 1
        self._idle.pop(block.index, None)
        return block

    def release(self, block: Block) -> None:
        """Refer to a block once less; without a reference it waits for its transfers and is then idle.

        Raises AssertionError for a block that nothing refers to.
        """
        if block.references < 1:
            raise AssertionError(f"block {block.index} is released more often than it was taken")
        block.references -= 1
        self._settle(block)

    def publish(self, block: Block, name: bytes) -> None:
        """Name a full block, so that others find it; of two with the same content the first is found."""
        if self.find(name) is None and block.name is None:
            block.name = name
            self._cached.setdefault(bucket(name, self._hash_bits), []).append(block)

    def forget(self, block: Block) -> None:
        """Take a block's name away: its content changes."""
        if block.name is None:
            return
        key = bucket(block.name, self._hash_bits)
        self._cached[key].remove(block)
        if not self._cached[key]:
            del self._cached[key]
        block.name = None

    def begin_transfer(self, block: Block) -> None:
        """Keep a block from being reused while it is copied."""
        block.transfers += 1
        self._idle.pop(block.index, None)

    def end_transfer(self, block: Block) -> None:
        """Let a block be reused again if nothing else holds it."""
        block.transfers -= 1
        self._settle(block)

    def _settle(self, block: Block) -> None:
        if not block.idle:
            return
        self._idle[block.index] = block
        if block.name is None:
            self._idle.move_to_end(block.index, last=False)
