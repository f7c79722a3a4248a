"""One serving trace, as data: what happens to the requests of an engine, and the cache that they share."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, DType, dynamic, static

Action = Literal[
    "add", "append", "fork", "rewind", "free", "read", "preempt", "resume", "evict", "end_transfers", "fail_transfer",
    "fail_store", "restart", "fail_load",
]  # fmt: skip
Step = tuple[Action, int, int, int]
"""What happens, to which of the live requests (counted round), and how much of it: see `trace.py`."""
Layout = Literal["kv_first", "block_first", "hnd"]
Tiers = Literal["none", "host", "disk", "host_disk", "host_disk_store"]


class KVCacheCase(Case):
    """Describe one serving trace over one cache."""

    dtype: DType = static("float32")
    """Of keys and values."""
    block_size: int = static(4, ge=1)
    """Tokens of a block."""
    num_blocks: int = static(8, ge=2)
    """Blocks of the cache; a request holds one fewer at most."""
    num_kv_heads: int = static(1, ge=1)
    """Heads of keys and values."""
    head_dim: int = static(4, ge=1)
    """Columns of a key, and of a value."""
    layout: Layout = static("block_first")
    """[2, N, P, K, D], [N, 2, P, K, D], or heads before slots."""
    hash_bits: int = static(64, ge=1)
    """Bits of a block's name that the index looks it up by: with few of them, many blocks share an entry."""
    window: int | None = static(None, ge=1)
    """Tokens that attention reads at most."""
    budget: int | None = static(None, ge=1)
    """Full blocks that a request keeps at most (PagedEviction)."""
    tiers: Tiers = static("none")
    """Where blocks go that the cache gives up: memory, disk, one behind the other, or a store that others write too."""
    tier_blocks: int = static(3, ge=1)
    """Blocks that each tier holds."""
    prefix_caching: bool = static(True)
    """Whether requests with a common beginning share its blocks."""
    chunk: int | None = static(None, ge=1)
    """Tokens that are computed at once (chunked prefill); None: all."""
    counted: bool = static(False)
    """Whether hits, loads and evictions are compared, besides what is read."""
    alike: Literal["nothing", "keys", "tokens"] = dynamic("nothing")
    """What prompts have in common but for one slip of whoever names blocks: see `trace.py`."""
    steps: tuple[Step, ...] = dynamic(())
    """What happens, to which of the live requests (counted round), and how much of it."""

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse a budget with a window, for both say which blocks a request gives up, or with counts: ValueError."""
        if self.window is not None and self.budget is not None:
            raise ValueError("window and budget: use one of them")
        if self.counted and self.budget is not None:
            raise ValueError("counted and budget: use one of them, for values say which blocks a budget drops")
        return self

    @property
    def capacity(self) -> int:
        """Tokens that one request may have: a block is left over for a copy on write."""
        return (self.num_blocks - 1) * self.block_size
