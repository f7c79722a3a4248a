"""One call of paged attention, as data: a batch of requests, a cache of blocks, and what is asked of the attention."""

from typing import Literal, Self

from pydantic import model_validator

from eagerdiff import Case, DType, dynamic, static
from eagerdiff.strategies.cases.layouts import Layouts, is_far

CacheDType = Literal["as_query", "float8_e4m3fn", "float8_e5m2"]
CacheLayout = Literal["nhd", "hnd", "interleaved", "padded_head", "layer_slice", "latent", "far"]
Scales = Literal["none", "tensor", "head"]
OutputKind = Literal["new", "given", "strided"]
Unseen = Literal["nan", "stale"]
Data = Literal["normal", "one_hot_values", "zero_queries", "large_logits", "cancelling", "nan_queries"]


class PagedAttentionCase(Case):
    """Describe one call of paged attention."""

    dtype: DType = static("float32")
    """Of queries and output."""
    cache_dtype: CacheDType = static("as_query")
    """Of both caches; as_query: dtype. An fp8 cache may have scales."""
    head_dim: int = static(16, ge=1)
    """Columns of a query and of a key."""
    value_dim: int | None = static(None, ge=1)
    """head_dim of the values; None: as the keys'. With cache_layout latent the values are the keys' first columns."""
    num_kv_heads: int = static(1, ge=1)
    """Heads of both caches."""
    group: int = static(1, ge=1)
    """Query heads a key-value head."""
    block_size: int = static(16, ge=1)
    """Slots of a block."""
    causal: bool = static(True)
    """Whether a query sees no key behind its own; with a tree it must."""
    windowed: bool = static(False)
    """Whether a query sees `window` keys at most."""
    soft_capped: bool = static(False)
    """Whether scores are capped, at soft_cap."""
    alibi: bool = static(False)
    """Whether a head's slope times the distance of a key is added to scores."""
    sinks: bool = static(False)
    """Whether each query head has a score that no key stands for, which takes its share of the softmax."""
    scales: Scales = static("none")
    """Scales of the cache: none, one of K and one of V, or one of each for every key-value head."""
    tree: bool = static(False)
    """Whether a mask says which of a request's queries see one another (speculative decoding)."""
    cache_layout: CacheLayout = static("nhd")
    """hnd: heads before slots; interleaved: K and V unbound from one buffer; padded_head: unequal row strides;
    layer_slice: one layer of a buffer of several; latent: V is the first columns of K (MLA); far: the last block lies
    2**31 elements behind the first, the memory between is never touched."""
    fused_query: bool = static(False)
    """Whether the query is a slice of a fused QKV tensor."""
    far_query: bool = static(False)
    """Whether the last row of the query lies 2**31 elements behind the first, the memory between never touched."""
    wide_table: bool = static(False)
    """Whether the block table is a slice of a wider one (row stride above its width)."""
    output: OutputKind = static("new")
    """given: written into a tensor of the caller; strided: that is a slice of a wider one."""
    num_splits: int = static(0, ge=0)
    """Parts that a context is split into; 0 leaves it to the implementation."""
    unseen: Unseen = static("nan")
    """What the cache holds where no query looks; stale: large finite numbers, as a freed request leaves behind."""
    layouts: Layouts = static(())
    """How arguments lie, by their name in the reference, besides the layouts above."""
    context_lens: tuple[int, ...] = dynamic((1,))
    """Keys of each request, its queries' own included; as many entries as query_lens. Where there are fewer keys than
    queries the first queries stand before the first key: causal ones see none."""
    query_lens: tuple[int, ...] = dynamic((1,))
    """Queries of each request, which stand at the end of its context: 1 is decoding, 0 a request that waits."""
    window: int = dynamic(1, ge=1)
    """How many keys a query sees, its own included, where windowed."""
    soft_cap: float = dynamic(30.0, gt=0)
    """Where soft_capped: a score s becomes soft_cap * tanh(s / soft_cap)."""
    scale: float | None = dynamic(None)
    """None is head_dim ** -0.5."""
    shared_blocks: int = dynamic(0, ge=0)
    """Leading blocks that every request shares with the first one that has any."""
    spare_blocks: int = dynamic(1, ge=1)
    """Blocks that no request refers to."""
    table_padding: int = dynamic(0, ge=0)
    """Columns of the table past the longest request; 0 is a tight table."""
    padding_rows: int = dynamic(0, ge=0)
    """Rows of the query past the last request's: a batch padded for graph capture."""
    data: Data = dynamic("normal")
    """What values are like; cancelling: zero queries, and of each request's values the first and a late one are
    large and opposite; nan_queries: about a third of the query's rows are NaN, as a broken layer leaves them."""

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse ragged lists of different lengths, a negative length, and what excludes one another: ValueError."""
        if len(self.context_lens) != len(self.query_lens):
            raise ValueError("context_lens and query_lens differ in length")
        if min((0, *self.context_lens, *self.query_lens)) < 0:
            raise ValueError("a length is negative")
        if self.cache_layout == "latent" and self.values > self.head_dim:
            raise ValueError("a latent cache's values are its keys' first columns: value_dim is at most head_dim")
        if self.tree and not self.causal:
            raise ValueError("a tree of queries is causal")
        return self

    @property
    def plain(self) -> bool:
        """Whether it asks for causal attention of a query's own requests, close by, and nothing else."""
        asked = (self.windowed, self.soft_capped, self.alibi, self.sinks, self.tree, self.scales != "none")
        shaped = (self.value_dim, self.cache_dtype != "as_query", self.output != "new", self.padding_rows)
        shaped = (*shaped, self.layouts, self.far)
        return self.causal and not any(asked) and not any(shaped)

    @property
    def far(self) -> bool:
        """Whether a tensor is mostly not there."""
        return self.cache_layout == "far" or self.far_query or is_far(self.layouts)

    @property
    def values(self) -> int:
        """Columns of a value."""
        return self.head_dim if self.value_dim is None else self.value_dim

    @property
    def num_heads(self) -> int:
        """Query heads."""
        return self.num_kv_heads * self.group

    @property
    def num_tokens(self) -> int:
        """Rows of the query, padding included."""
        return sum(self.query_lens) + self.padding_rows

    @property
    def block_counts(self) -> list[int]:
        """Blocks that each request occupies."""
        return [-(-length // self.block_size) for length in self.context_lens]

    def visible(self, request: int) -> range:
        """Return the positions of the keys that some query of a request sees."""
        length, queries = self.context_lens[request], self.query_lens[request]
        if queries == 0:
            return range(0)
        return range(max(0, length - queries - self.window + 1) if self.windowed else 0, length)
