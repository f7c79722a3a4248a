"""Calls of block copy: pairs of blocks in caches of any strides."""

import functools
from typing import Any, Literal, Self

import torch
from hypothesis import strategies as st
from pydantic import model_validator
from torch import Tensor

from eagerdiff import Case, DType, Inputs, dynamic, static
from eagerdiff.strategies.cache_layouts import lay_out_caches
from eagerdiff.strategies.layouts import place_together

CacheLayout = Literal["nhd", "hnd", "interleaved", "padded_head"]


class BlockCopyCase(Case):
    """Describe one call of block copy."""

    dtype: DType = static("float32")
    head_dim: int = static(16, ge=1)
    num_kv_heads: int = static(1, ge=1)
    block_size: int = static(16, ge=1)
    cache_layout: CacheLayout = static("nhd")
    """hnd: heads before slots; interleaved: K and V unbound from one buffer; padded_head: rows lie further apart."""
    num_blocks: int = dynamic(2, ge=1)
    num_pairs: int = dynamic(1, ge=0)

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse more pairs than there are blocks besides a source: ValueError."""
        if self.num_pairs >= self.num_blocks:
            raise ValueError("num_pairs: each needs a target of its own, and one block is a source")
        return self


def cases() -> st.SearchStrategy[BlockCopyCase]:
    """Draw any call; shrinks to one pair of two blocks."""
    return st.tuples(_statics(), _dynamics()).map(lambda parts: BlockCopyCase(**parts[0], **parts[1]))


def cases_like(case: BlockCopyCase) -> st.SearchStrategy[BlockCopyCase]:
    """Draw a call with the static fields of `case`."""
    return _dynamics().map(lambda fields: BlockCopyCase(**dict(case.static_key), **fields))


@functools.cache
def _statics() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "dtype": st.sampled_from(("float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")),
            "head_dim": st.sampled_from((16, 1, 24, 80, 256)),
            "num_kv_heads": st.sampled_from((1, 2, 3, 8)),
            "block_size": st.sampled_from((16, 1, 5, 8, 32)),
            "cache_layout": st.sampled_from(("nhd", "hnd", "interleaved", "padded_head")),
        }
    )


@functools.cache
def _dynamics() -> st.SearchStrategy[dict[str, Any]]:
    blocks = st.integers(2, 12).flatmap(lambda blocks: st.tuples(st.just(blocks), st.integers(0, blocks - 1)))
    return st.tuples(blocks, st.integers(0, 2**32 - 1)).map(
        lambda drawn: {"num_blocks": drawn[0][0], "num_pairs": drawn[0][1], "seed": drawn[1]}
    )


def inputs(case: BlockCopyCase, device: str) -> Inputs:
    """Build both caches and the pairs: targets are all different, and no source is a target."""
    generator = torch.Generator().manual_seed(case.seed)
    order = torch.randperm(case.num_blocks, generator=generator)
    targets, sources = order[: case.num_pairs], order[case.num_pairs :]
    chosen = sources[torch.randint(len(sources), (case.num_pairs,), generator=generator)]
    return place_together(Inputs((*_draw_caches(case, generator), torch.stack((chosen, targets), 1))), device)


def _draw_caches(case: BlockCopyCase, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    shape, dtype = (case.num_blocks, case.block_size, case.num_kv_heads, case.head_dim), getattr(torch, case.dtype)
    keys, values = (torch.randn(shape, generator=generator).to(dtype) for _ in range(2))
    return lay_out_caches(keys, values, case.cache_layout)
