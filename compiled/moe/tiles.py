"""Tiles of the grouped GEMMs: what the routing fixes, and what is tuned."""

# pyright: basic, reportReturnType=false, reportArgumentType=false

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import torch
import triton

from eagerdiff.compiled.gpu import is_blackwell_or_later, is_hopper_or_later

_LARGE = 1 << 24
"""Weights of an expert's projection times routes from which on a launch is tuned; a smaller one takes the first
configuration."""

LEAST = 16
"""Rows of a block at least: what a product takes."""
_RESIDENT = 2
"""Programs that a multiprocessor has room for."""
_WITHOUT_GPU = 8
"""Programs on the interpreter: few, so that one takes several tiles."""

KEY = ["inner", "columns", "BLOCK_M", "ACTIVATION", "BITS", "SCALE_BLOCK", "LARGE"]
"""What a choice holds for, dtypes besides: no number of tokens is among it, but what an expert gets as a power of 2."""
CONFIGS = [
    triton.Config({"BLOCK_N": columns, "BLOCK_K": inner}, num_warps=warps, num_stages=stages)
    for columns, inner, warps, stages in itertools.product((32, 64, 128, 256), (16, 32, 64), (4, 8), (2, 3, 4))
]
"""Columns of the output and inner elements of a tile; `prune` leaves a few."""


def block_m(num_routes: int, num_experts: int) -> int:
    """Return about the tokens that an expert gets, so that few rows of a block are idle."""
    return min(128, max(LEAST, triton.next_power_of_2(num_routes // num_experts // 2)))


def large(num_routes: int, inner: int, columns: int) -> bool:
    """Say whether a launch is worth tuning."""
    return num_routes * inner * columns >= _LARGE


def programs(device: torch.device) -> int:
    """Return the programs of a persistent launch, each of which takes tile after tile: what a GPU runs at a time."""
    if device.type != "cuda":
        return _WITHOUT_GPU
    return _RESIDENT * torch.cuda.get_device_properties(device).multi_processor_count


def prune(configs: Sequence[Any], named_args: Mapping[str, Any], **constants: Any) -> list[Any]:
    """Return the configurations that a launch may have: those worth timing, the safest first, or it alone.

    None of them spills registers, or wants more shared memory than there is, on any target of
    `eagerdiff run --device offline:…`.
    """
    inner, columns, rows = named_args["inner"], named_args["columns"], constants["BLOCK_M"]
    quantised = constants["BITS"] < 16
    # Two accumulators: of gate and up, or of what is scaled and the rest. The product that goes down has one.
    gated = constants["ACTIVATION"] in ("swiglu", "geglu") and ("x_TH" in named_args or quantised)
    by_choice = {_choice(one): one for one in configs}
    if named_args["act_RI"].element_size() == 4:
        # Numbers of full precision pass registers on their way to the product.
        return [by_choice[32, 16, 8, 4]]
    deep = constants["LARGE"] and not quantised and is_hopper_or_later()
    # Narrow where there are few columns or many rows, for the registers of two accumulators.
    widest = 64 if rows > 64 or (gated and (quantised or rows > 32)) else 128
    if gated and quantised and rows > 32 and not deep:
        widest = 32
    width = min(widest, max(32, triton.next_power_of_2(columns + 1) // 2))
    deepest = 64 if columns > 128 and inner > 32 and (deep or not (gated or quantised)) else 32
    depth = min(constants["SCALE_BLOCK"], deepest)
    crowded = rows > 64 and (is_blackwell_or_later() if deep else gated)
    warps, stages = 8 if crowded else 4, 2 if quantised else 3
    wanted = [(width, depth, warps, stages)]
    if constants["LARGE"]:
        wanted.append((max(32, width // 2), depth, warps, stages))
    if deep:
        wanted += [(width, depth, 8, 3), (width, depth, warps, 4)]
    if deep and columns >= 256 and rows > 64 and not is_blackwell_or_later():
        # Tiles so wide that what is loaded of them keeps the multipliers busy.
        wanted += [(128, depth, 8, 3), (128, depth, 8, 4), *(() if gated else ((256, depth, 8, 3),))]
    return [by_choice[choice] for choice in dict.fromkeys(wanted)]


def _choice(config: Any) -> tuple[int, int, int, int]:
    return config.kwargs["BLOCK_N"], config.kwargs["BLOCK_K"], config.num_warps, config.num_stages
