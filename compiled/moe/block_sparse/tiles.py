"""Blocks of the sparse matrices, which the routing and the sizes fix, and what is tuned of the products' tiles."""

# pyright: basic, reportReturnType=false, reportArgumentType=false

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import triton

from eagerdiff.compiled.gpu import is_hopper_or_later

KEY = ["hidden", "intermediate", "BLOCK_M", "BLOCK_N", "HALVES", "LARGE"]
"""What a choice holds for, dtypes besides: no number of tokens is among it, but what an expert gets as a power of 2."""
CONFIGS = [
    triton.Config({"TILE_H": hidden}, num_warps=warps, num_stages=stages)
    for hidden, warps, stages in itertools.product((32, 64), (4, 8), (2, 3, 4))
]
"""Hidden columns of a tile: the inner step where a product is sparse, else the columns of the output."""


def block_n(intermediate: int) -> int:
    """Return the columns of a block: few where padding to whole blocks would cost more than it saves."""
    return 32 if intermediate < 256 else 64


def prune_inner(configs: Sequence[Any], named_args: Mapping[str, Any], **constants: Any) -> list[Any]:
    """Return what is worth timing of the products that step over the hidden columns, the safest first, or it alone.

    None of them spills registers, or wants more shared memory than there is, on any target of
    `eagerdiff run --device offline:…`.
    """
    width = 32 if named_args["hidden"] <= 32 or _wide(named_args) else 64
    # Two accumulators, or one and what was saved of both, are many registers where rows are many.
    warps = 8 if constants["BLOCK_M"] >= 128 else 4
    wanted = [(width, warps, 3)]
    if constants["LARGE"]:
        wanted += [(width, 8, 3), (width, warps, _other_stages(constants)), (32, warps, 3)]
    return _chosen(configs, wanted)


def prune_outer(configs: Sequence[Any], named_args: Mapping[str, Any], **constants: Any) -> list[Any]:
    """Return what is worth timing of the products whose columns are hidden, the safest first, or it alone."""
    # What is added up besides the product takes registers, too, where blocks of 64 rows are there at once.
    summed = constants["BLOCK_M"] == 64 and constants.get("BIAS", "none") != "none" and not is_hopper_or_later()
    most = 32 if _wide(named_args) or summed else 64
    width = min(most, max(32, triton.next_power_of_2(named_args["hidden"] + 1) // 2))
    wanted = [(width, 4, 3)]
    if constants["LARGE"]:
        wanted.append((width, 4, _other_stages(constants)))
        if constants["BLOCK_M"] < 128 or "x_TH" not in named_args:  # large blocks, transposed, spill there
            wanted.append((width, 8, 3))
    return _chosen(configs, wanted)


def _other_stages(constants: Mapping[str, Any]) -> int:
    """Return how many stages besides 3 are worth timing: of large blocks, 4 do not fit 64 KiB of shared memory."""
    return 2 if constants["BLOCK_M"] >= (128 if is_hopper_or_later() else 64) else 4


def _wide(named_args: Mapping[str, Any]) -> bool:
    """Whether the operands are float32, which takes twice the registers."""
    return named_args["values_N"].element_size() == 4


def _chosen(configs: Sequence[Any], wanted: Sequence[tuple[int, int, int]]) -> list[Any]:
    by_choice = {(one.kwargs["TILE_H"], one.num_warps, one.num_stages): one for one in configs}
    return [by_choice[choice] for choice in dict.fromkeys(wanted)]
