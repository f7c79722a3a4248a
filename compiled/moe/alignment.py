"""Sort routes by expert in three launches: count by tiles of routes, add up over tiles and experts, place.

Suffixes: R routes, N routes of one tile, C tiles of routes, E experts (padded to a power of two inside, and one more
for the routes that are not here), B blocks of routes of one expert.
"""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportGeneralTypeIssues=false, reportCallIssue=false

from typing import Any, NamedTuple

import torch
import triton
import triton.language as tl
from torch import Tensor

_TILE_N = 128
_TILE_X = 64
"""Experts whose tiles one program adds up."""
_PAIRS = 8192
"""Pairs of a block and an expert that one program compares."""


class Alignment(NamedTuple):
    """Routes by expert, and the blocks of each expert's."""

    sorted_routes: Tensor
    """[R], int64: each expert's in their own order, those that are not here last."""
    expert_offsets: Tensor
    """[E + 1], int64: expert e's run is sorted_routes[expert_offsets[e] : expert_offsets[e + 1]]."""
    block_expert: Tensor
    """[B], int64: E for a block with nothing to do."""
    block_start: Tensor
    """[B], int64: where the block begins in sorted_routes; the end of what is here for a block with nothing to do."""
    place_of_route: Tensor
    """[R], int64: where in sorted_routes a route stands."""


@triton.jit
def _experts_of(ids_R, route_N, num_routes, NUM_EXPERTS: tl.constexpr):
    """Return the routes' experts, NUM_EXPERTS for those that are not here and for lanes that are no route."""
    # Before it is made narrow: what is above 2**32 is no expert either.
    id_N = tl.load(ids_R + route_N, mask=route_N < num_routes, other=-1)
    return tl.where((id_N >= 0) & (id_N < NUM_EXPERTS), id_N, NUM_EXPERTS).to(tl.int32)


# A batch that grows compiles once.
@triton.jit(do_not_specialize=["num_routes"])
def count_kernel(
    counts_CE, totals_E, ids_R, num_routes, NUM_EXPERTS: tl.constexpr, TILE_N: tl.constexpr, TILE_E: tl.constexpr
):
    """Count a tile's routes of each expert, and add them to totals, which begin as 0."""
    tile = tl.program_id(0).to(tl.int64)
    route_N = tile * TILE_N + tl.arange(0, TILE_N)
    expert_N = _experts_of(ids_R, route_N, num_routes, NUM_EXPERTS)
    # Lanes that are no route are among those that are not here, which nothing follows.
    count_E = tl.histogram(expert_N, TILE_E).to(tl.int64)
    column_E = tl.arange(0, TILE_E)
    tl.store(counts_CE + tile * (NUM_EXPERTS + 1) + column_E, count_E, mask=column_E <= NUM_EXPERTS)
    tl.atomic_add(totals_E + column_E, count_E, mask=(column_E <= NUM_EXPERTS) & (count_E > 0))


@triton.jit(do_not_specialize=["num_tiles", "num_blocks"])
def align_kernel(
    places_CE, expert_offsets_E, block_expert_B, block_start_B, totals_E, num_tiles, num_blocks,
    NUM_EXPERTS: tl.constexpr, BLOCK_M: tl.constexpr, TILE_C: tl.constexpr, TILE_X: tl.constexpr,
    TILE_B: tl.constexpr, TILE_E: tl.constexpr,
):  # fmt: skip
    """Turn some experts' counts by tile into the places of each tile's first routes, and cut TILE_B of the blocks."""
    program = tl.program_id(0)
    column_E = tl.arange(0, TILE_E)
    total_E = tl.load(totals_E + column_E, mask=column_E <= NUM_EXPERTS, other=0)
    end_E = tl.cumsum(total_E, 0)
    offset_E = end_E - total_E
    if program == 0:
        tl.store(expert_offsets_E + column_E, offset_E, mask=column_E <= NUM_EXPERTS)

    expert_X = program * TILE_X + tl.arange(0, TILE_X)
    if program * TILE_X <= NUM_EXPERTS:
        seen_X = tl.gather(offset_E, tl.minimum(expert_X, NUM_EXPERTS), 0)
        for first in range(0, num_tiles, TILE_C):
            tile_C = first + tl.arange(0, TILE_C).to(tl.int64)
            places = places_CE + tile_C[:, None] * (NUM_EXPERTS + 1) + expert_X[None, :]
            live_CX = (tile_C < num_tiles)[:, None] & (expert_X <= NUM_EXPERTS)[None, :]
            count_CX = tl.load(places, mask=live_CX, other=0)
            tl.store(places, seen_X[None, :] + tl.cumsum(count_CX, 0) - count_CX, mask=live_CX)
            seen_X += tl.sum(count_CX, 0)

    block_B = program * TILE_B + tl.arange(0, TILE_B).to(tl.int64)
    blocks_E = tl.where(column_E < NUM_EXPERTS, (total_E + BLOCK_M - 1) // BLOCK_M, 0)
    last_E = tl.cumsum(blocks_E, 0)
    past_BE = (last_E[None, :] <= block_B[:, None]) & (column_E < NUM_EXPERTS)[None, :]
    expert_B = tl.sum(past_BE.to(tl.int32), 1)
    # Of the experts' runs; the one of NUM_EXPERTS, which has no blocks, begins where blocks with nothing to do begin.
    offset_B, first_B = tl.gather(offset_E, expert_B, 0), tl.gather(last_E - blocks_E, expert_B, 0)
    start_B = tl.where(expert_B < NUM_EXPERTS, offset_B + (block_B - first_B) * BLOCK_M, offset_B)
    tl.store(block_expert_B + block_B, expert_B.to(tl.int64), mask=block_B < num_blocks)
    tl.store(block_start_B + block_B, start_B, mask=block_B < num_blocks)


@triton.jit(do_not_specialize=["num_routes"])
def place_kernel(
    sorted_routes_R, place_of_route_R, places_CE, ids_R, num_routes,
    NUM_EXPERTS: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """Put a tile's routes where they belong: behind those of their expert in earlier tiles, and earlier in this one."""
    tile = tl.program_id(0).to(tl.int64)
    lane_N = tl.arange(0, TILE_N)
    route_N = tile * TILE_N + lane_N
    live_N = route_N < num_routes
    expert_N = _experts_of(ids_R, route_N, num_routes, NUM_EXPERTS)
    before_NN = (expert_N[None, :] == expert_N[:, None]) & (lane_N[None, :] < lane_N[:, None])
    first_N = tl.load(places_CE + tile * (NUM_EXPERTS + 1) + expert_N, mask=live_N, other=0)
    place_N = first_N + tl.sum(before_NN.to(tl.int32), 1)
    tl.store(sorted_routes_R + place_N, route_N, mask=live_N)
    tl.store(place_of_route_R + route_N, place_N, mask=live_N)


KERNELS: tuple[Any, ...] = (count_kernel, align_kernel, place_kernel)


def align(topk_ids: Tensor, num_experts: int, block_m: int) -> Alignment:
    """Sort the routes of topk_ids [T, K], int64, and cut them into blocks of block_m, with no host synchronisation.

    Ids below 0 and from num_experts on are of routes that are not here; they may lie anyhow. B depends on sizes alone.
    """
    num_routes = topk_ids.numel()
    # Each expert with a route may have one block that is not full.
    num_blocks = min(num_routes, triton.cdiv(num_routes, block_m) + num_experts)
    totals = topk_ids.new_zeros(num_experts + 1)
    sorted_routes, place_of_route = topk_ids.new_empty(num_routes), topk_ids.new_empty(num_routes)
    block_expert, block_start = topk_ids.new_empty(num_blocks), topk_ids.new_empty(num_blocks)
    if num_routes == 0:  # CUDA refuses an empty grid
        return Alignment(sorted_routes, totals, block_expert, block_start, place_of_route)
    ids, expert_offsets = topk_ids.contiguous(), torch.empty_like(totals)
    num_tiles = triton.cdiv(num_routes, _TILE_N)
    places = topk_ids.new_empty(num_tiles, num_experts + 1)
    tile_E = triton.next_power_of_2(num_experts + 1)
    tile_B, tile_X = max(16, min(256, _PAIRS // tile_E)), min(_TILE_X, tile_E)
    count_kernel[(num_tiles,)](places, totals, ids, num_routes, NUM_EXPERTS=num_experts, TILE_N=_TILE_N, TILE_E=tile_E)
    align_kernel[(max(triton.cdiv(num_experts + 1, tile_X), triton.cdiv(num_blocks, tile_B)),)](
        places, expert_offsets, block_expert, block_start, totals, num_tiles, num_blocks, NUM_EXPERTS=num_experts,
        BLOCK_M=block_m, TILE_C=16, TILE_X=tile_X, TILE_B=tile_B, TILE_E=tile_E, num_warps=8,
    )  # fmt: skip
    place_kernel[(num_tiles,)](
        sorted_routes, place_of_route, places, ids, num_routes, NUM_EXPERTS=num_experts, TILE_N=_TILE_N, num_warps=8
    )
    return Alignment(sorted_routes, expert_offsets, block_expert, block_start, place_of_route)
