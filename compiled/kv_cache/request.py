"""One request's tokens and the blocks that hold their keys and values."""

from dataclasses import dataclass, field, replace

from eagerdiff.compiled.kv_cache.hashing import ROOT, Key, digest
from eagerdiff.compiled.kv_cache.pool import Block


@dataclass
class Request:
    """Hold what the cache knows of a request."""

    tokens: list[int]
    extra_keys: tuple[Key, ...]
    block_size: int
    table: list[Block | None] = field(default_factory=list["Block | None"])
    """None where there is no block any more: before the sliding window, or of low importance."""
    computed: int = 0
    """Leading tokens whose keys and values are in the blocks, or on their way."""
    loading: int = 0
    """Blocks on their way from a lower tier."""
    resident: bool = False
    dropped: set[int] = field(default_factory=set[int])
    """Blocks of low importance that were given up: what is computed after one is nobody else's."""
    weighed: int = 0
    """Leading full blocks that were held against the budget."""
    drafts: int = 0
    """Trailing tokens that may still be rejected."""
    _digests: list[bytes] = field(default_factory=list[bytes])

    @property
    def blocks(self) -> int:
        """How many blocks its tokens span."""
        return -(-len(self.tokens) // self.block_size)

    @property
    def full_blocks(self) -> int:
        """How many of them are full."""
        return len(self.tokens) // self.block_size

    def block(self, index: int) -> Block:
        """Return a block that is there."""
        block = self.table[index]
        assert block is not None, f"block {index} was given up"
        return block

    def name(self, index: int) -> bytes:
        """Return the digest of a full block."""
        while len(self._digests) <= index:
            start = len(self._digests) * self.block_size
            parent = self._digests[-1] if self._digests else ROOT
            self._digests.append(digest(parent, self.tokens[start : start + self.block_size], self.extra_keys))
        return self._digests[index]

    def truncate(self, length: int) -> list[Block]:
        """Forget the tokens from `length` on; return the blocks that hold none of the others."""
        del self.tokens[length:]
        del self._digests[self.full_blocks :]
        self.computed = min(self.computed, length)
        gone = [block for block in self.table[self.blocks :] if block is not None]
        del self.table[self.blocks :]
        return gone

    def first_needed(self, window: int | None) -> int:
        """Return the first block that the window of any token yet to be computed may reach, drafts rejected or not."""
        if window is None:
            return 0
        return max(0, min(self.computed, len(self.tokens) - self.drafts) - window) // self.block_size

    def copy(self) -> "Request":
        """Return the same under another name: it refers to the same blocks."""
        lists = {"tokens": [*self.tokens], "table": [*self.table], "_digests": [*self._digests]}
        return replace(self, dropped={*self.dropped}, **lists)

    def leave(self) -> list[Block]:
        """Give up all blocks and return them, the last first."""
        blocks = [block for block in reversed(self.table) if block is not None]
        self.table, self.computed, self.resident = [], 0, False
        return blocks
