"""Tiles of the attention kernel: what the shapes of a call fix, and what is tuned."""

# pyright: basic

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import triton

from eagerdiff.compiled.gpu import is_hopper_or_later

_WIDEST = 512
"""Columns of a tile at most: what is beyond is a second part of the keys, and other programs' values."""
_ACCUMULATED = 4096
"""Rows times columns of a tile in decode: what a program keeps in registers; never fewer than 16 rows."""
_LARGE = 1 << 24
"""Elements of keys, or of queries, from which on a call is tuned; a smaller one takes the first configuration."""


@dataclass(frozen=True)
class Tiles:
    """Hold what the shapes of a call fix: columns of tiles, powers of two of 16 or more, and its kind."""

    E: int
    """Leading columns of a key."""
    F: int
    """Its further columns."""
    V: int
    """Columns of a value."""
    heads: int
    """Heads of a group that share a tile."""
    prefill: bool
    """Whether requests have so many tokens that a tile holds several."""
    large: bool
    """Whether it is worth tuning."""

    @classmethod
    def of(
        cls,
        head_dim: int,
        value_dim: int,
        group: int,
        num_tokens: int,
        num_requests: int,
        keys: int,
        *,
        fixed: bool = False,
    ) -> "Tiles":
        """Choose the tiles of a call; `keys`: those that the block table has room for, of all requests and heads.

        `fixed` tiles are those of a small batch in decode, whatever the batch: sums are taken in one order.
        """
        key, value = min(_WIDEST, power(head_dim)), min(_WIDEST, power(value_dim))
        widest = max(key, value)
        heads = -(-group // -(-group // max(16, _ACCUMULATED // widest)))
        many = num_tokens * heads > 4 * power(heads) * num_requests
        large = keys * head_dim >= _LARGE
        prefill = many and widest <= 256
        return cls(key, power(head_dim - key), value, heads, prefill and not fixed, large and not fixed)


KEY = [
    "HEAD_DIM", "VALUE_DIM", "GROUP", "BLOCK_SIZE", "CAUSAL", "WINDOWED", "SOFT_CAPPED", "ALIBI", "SINKS",
    "KEYS_SCALED", "VALUES_SCALED", "TREE", "SPLITS", "PREFILL", "LARGE",
]  # fmt: skip
"""What a choice holds for, dtypes besides: no length is among it, so that a growing context is not tuned again."""
CONFIGS = [
    triton.Config({"TILE_M": rows, "TILE_S": keys}, num_warps=warps, num_stages=stages)
    for rows, keys, warps, stages in itertools.product((16, 32, 64, 128), (16, 32, 64), (4, 8), (2, 3))
]
"""Query rows (tokens times heads) and keys of a tile; `prune` leaves a few."""


def prune(configs: Sequence[Any], named_args: Mapping[str, Any], **constants: Any) -> list[Any]:
    """Return the configurations that a launch may have: those worth timing, the safest first, or it alone.

    In half precision none of them spills registers on any target of `eagerdiff run --device offline:…`.
    """
    narrow = named_args["query_THD"].element_size() < 4
    busy = any(constants[name] for name in ("SOFT_CAPPED", "ALIBI", "TREE"))
    widest = max(constants["TILE_E"], constants["TILE_V"])
    wanted = (_prefill if constants["PREFILL"] else _decode)(widest, power(constants["HEADS"]), narrow, busy)
    if constants["PREFILL"] and constants["LARGE"] and narrow and not busy and widest <= 128 and is_hopper_or_later():
        wanted.append((128, 64, 8, 3))
    by_choice = {(one.kwargs["TILE_M"], one.kwargs["TILE_S"], one.num_warps, one.num_stages): one for one in configs}
    return [by_choice[choice] for choice in wanted][: None if constants["LARGE"] else 1]


def _decode(widest: int, rows: int, narrow: bool, busy: bool) -> list[tuple[int, int, int, int]]:
    """Return (rows, keys, warps, stages): a tile holds the heads of one token."""
    if widest > 256 or not narrow:
        return [(rows, 16, 4 if rows == 16 else 8, 3)]
    if busy and (widest > 128 or rows > 16):
        return [(rows, 16, 4, 3)]
    if widest > 128 or rows > 16 or busy:
        return [(rows, 32, 4, 3)]
    return [(rows, 64, 4, 3), (rows, 32, 4, 3), (rows, 64, 8, 3)]


def _prefill(widest: int, rows: int, narrow: bool, busy: bool) -> list[tuple[int, int, int, int]]:
    """Return (rows, keys, warps, stages): a tile holds several tokens."""
    if not narrow:
        return [(32 if widest > 64 else 64, 16, 8, 2)]
    if widest > 128 or busy:
        return [(64, 16 if widest > 128 and busy else 32, 8, 3)]
    return [(64, 32, 4, 3), *([(128, 32, 8, 3)] if rows == 16 else [])]


def power(size: int) -> int:
    """Return the least power of two that holds a size, 16 or more."""
    return max(16, 1 << max(0, size - 1).bit_length())
