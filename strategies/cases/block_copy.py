"""One call of block copy, as data: caches of any strides, and how many pairs of their blocks."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, DType, dynamic, static
from eagerdiff.strategies.cases.layouts import Layouts

CacheLayout = Literal["nhd", "hnd", "interleaved", "padded_head"]


class BlockCopyCase(Case):
    """Describe one call of block copy."""

    dtype: DType = static("float32")
    """Of both caches."""
    head_dim: int = static(16, ge=1)
    """Columns of a cached row."""
    num_kv_heads: int = static(1, ge=1)
    """Heads of both caches."""
    block_size: int = static(16, ge=1)
    """Slots of a block."""
    cache_layout: CacheLayout = static("nhd")
    """hnd: heads before slots; interleaved: K and V unbound from one buffer; padded_head: rows lie further apart."""
    layouts: Layouts = static(())
    """How arguments lie, by their name in the reference, besides the layout above."""
    num_blocks: int = dynamic(2, ge=1)
    """Blocks of each cache."""
    num_pairs: int = dynamic(1, ge=0)
    """Copies, each to a block of its own that no copy reads: fewer than num_blocks."""
    extreme: bool = dynamic(False)
    """Whether some numbers are NaN or infinite."""

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse more pairs than there are blocks besides a source: ValueError."""
        if self.num_pairs >= self.num_blocks:
            raise ValueError("num_pairs: each needs a target of its own, and one block is a source")
        return self
