"""One call of cache write, as data: new rows, the cache that takes them, and what of it is quantised."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, DType, dynamic, static
from eagerdiff.strategies.cases.layouts import Layouts

CacheDType = Literal["as_rows", "float8_e4m3fn", "float8_e5m2"]
CacheLayout = Literal["nhd", "hnd", "interleaved", "padded_head"]
Scales = Literal["none", "tensor", "head"]


class CacheWriteCase(Case):
    """Describe one call of cache write."""

    dtype: DType = static("float32")
    """Of the new rows."""
    cache_dtype: CacheDType = static("as_rows")
    """Of the cache; as_rows: that of the rows. The rows are divided by scales before an fp8 one takes them."""
    head_dim: int = static(16, ge=1)
    """Columns of a key."""
    value_dim: int = static(16, ge=1)
    """Columns of a value; an interleaved cache has it as head_dim is."""
    num_kv_heads: int = static(1, ge=1)
    """Heads of keys and values."""
    block_size: int = static(16, ge=1)
    """Slots of a block."""
    scales: Scales = static("none")
    """Scales of an fp8 cache: none, one of K and one of V, or one of each for every head."""
    cache_layout: CacheLayout = static("nhd")
    """hnd: heads before slots; interleaved: K and V unbound from one buffer; padded_head: unequal row strides."""
    fused_rows: bool = static(False)
    """Whether the rows are slices of one fused QKV tensor."""
    layouts: Layouts = static(())
    """How arguments lie, by their name in the reference, besides the layouts above."""
    num_tokens: int = dynamic(1, ge=0)
    """New rows, padding included."""
    padding: int = dynamic(0, ge=0)
    """Tokens whose slot is -1."""
    spare_slots: int = dynamic(0, ge=0)
    """Slots that stay as they are, besides those that fill the last block."""
    large: bool = dynamic(False)
    """Whether some numbers are beyond what an fp8 cache holds."""
    extreme: bool = dynamic(False)
    """Whether some numbers are NaN or infinite."""

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse more padding than tokens, and K and V of different widths in one buffer: ValueError."""
        if self.padding > self.num_tokens:
            raise ValueError("more tokens are padding than there are")
        if self.cache_layout == "interleaved" and self.head_dim != self.value_dim:
            raise ValueError("an interleaved cache has keys and values of one head_dim")
        return self

    @property
    def num_blocks(self) -> int:
        """Blocks of the cache: enough for every token, and one at least."""
        return max(1, -(-(self.num_tokens - self.padding + self.spare_slots) // self.block_size))
