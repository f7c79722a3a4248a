"""Move tokens' rows behind their sorted routes, and add them up again.

Suffixes: T tokens, K routes a token, R routes, H hidden, E experts.
"""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportGeneralTypeIssues=false

import torch
import triton
import triton.language as tl
from torch import Tensor

from eagerdiff.compiled.moe.alignment import align

_TILE = 4096
"""Elements that a program moves."""


@triton.jit(do_not_specialize=["num_routes"])
def permute_kernel(
    permuted_RH, x_TH, sorted_routes_R, expert_offsets_E, num_routes, stride_xt, stride_xh,
    NUM_EXPERTS: tl.constexpr, TOP_K: tl.constexpr, HIDDEN: tl.constexpr, TILE_R: tl.constexpr, TILE_H: tl.constexpr,
):  # fmt: skip
    """Copy TILE_R routes' tokens, TILE_H of their columns; 0 for routes that are not here."""
    row_R = tl.program_id(0).to(tl.int64) * TILE_R + tl.arange(0, TILE_R)
    column_H = tl.program_id(1) * TILE_H + tl.arange(0, TILE_H).to(tl.int64)
    here_R = row_R < tl.load(expert_offsets_E + NUM_EXPERTS)
    token_R = tl.load(sorted_routes_R + row_R, mask=here_R, other=0) // TOP_K
    in_row_H = column_H < HIDDEN
    x_RH = tl.load(
        x_TH + token_R[:, None] * stride_xt + column_H[None, :] * stride_xh,
        mask=here_R[:, None] & in_row_H[None, :],
        other=0.0,
    )
    permuted = permuted_RH + row_R[:, None] * HIDDEN + column_H[None, :]
    tl.store(permuted, x_RH, mask=(row_R < num_routes)[:, None] & in_row_H[None, :])


@triton.jit(do_not_specialize=["num_tokens"])
def combine_kernel(
    combined_TH, permuted_RH, place_of_route_R, weights_R, expert_offsets_E, num_tokens,
    NUM_EXPERTS: tl.constexpr, TOP_K: tl.constexpr, HIDDEN: tl.constexpr, TILE_T: tl.constexpr, TILE_H: tl.constexpr,
):  # fmt: skip
    """Add up TILE_T tokens' weighted rows in float32, TILE_H of their columns; rows that are not here are not read."""
    token_T = tl.program_id(0).to(tl.int64) * TILE_T + tl.arange(0, TILE_T)
    column_H = tl.program_id(1) * TILE_H + tl.arange(0, TILE_H)
    live_T, in_row_H = token_T < num_tokens, column_H < HIDDEN
    num_here = tl.load(expert_offsets_E + NUM_EXPERTS)
    sum_TH = tl.zeros((TILE_T, TILE_H), dtype=tl.float32)
    for slot in range(TOP_K):
        route_T = token_T * TOP_K + slot
        place_T = tl.load(place_of_route_R + route_T, mask=live_T, other=0)
        here_T = live_T & (place_T < num_here)
        weight_T = tl.load(weights_R + route_T, mask=here_T, other=0.0)
        permuted = permuted_RH + place_T[:, None] * HIDDEN + column_H[None, :]
        row_TH = tl.load(permuted, mask=here_T[:, None] & in_row_H[None, :], other=0.0)
        sum_TH += weight_T[:, None] * row_TH.to(tl.float32)
    combined = combined_TH + token_T[:, None] * HIDDEN + column_H[None, :]
    tl.store(combined, sum_TH.to(combined_TH.dtype.element_ty), mask=live_T[:, None] & in_row_H[None, :])


def moe_permute(
    x: Tensor, topk_ids: Tensor, topk_weights: Tensor, *, num_experts: int, block_m: int
) -> tuple[Tensor, ...]:
    """Sort routes, move rows there and back; arguments and result as the reference's. Five launches at any size."""
    num_tokens, hidden = x.shape
    num_routes, top_k = topk_ids.numel(), topk_ids.shape[1]
    *alignment, place_of_route = align(topk_ids, num_experts, block_m)
    permuted = torch.empty(num_routes, hidden, dtype=x.dtype, device=x.device)
    combined = torch.empty(num_tokens, hidden, dtype=x.dtype, device=x.device)
    if num_tokens == 0:  # CUDA refuses an empty grid
        return *alignment, permuted, combined
    sorted_routes, expert_offsets, _, _ = alignment
    tile_H = min(256, triton.next_power_of_2(hidden))
    rows = min(256, _TILE // tile_H)
    sizes = {"NUM_EXPERTS": num_experts, "TOP_K": top_k, "HIDDEN": hidden, "TILE_H": tile_H}
    permute_kernel[(triton.cdiv(num_routes, rows), triton.cdiv(hidden, tile_H))](
        permuted, x, sorted_routes, expert_offsets, num_routes, *x.stride(), TILE_R=rows, **sizes
    )
    combine_kernel[(triton.cdiv(num_tokens, rows), triton.cdiv(hidden, tile_H))](
        combined, permuted, place_of_route, topk_weights.contiguous(), expert_offsets, num_tokens, TILE_T=rows, **sizes
    )
    return *alignment, permuted, combined
