# pyright: basic, reportArgumentType=false, reportReturnType=false, reportGeneralTypeIssues=false
"""Grouped GEMMs over tokens sorted by expert: gate and up fused with SwiGLU, then down, weighted and combined.

Dimensions: T tokens, K = top_k, R = T * K routes, E experts, H hidden, I intermediate, B blocks of routes.
Suffixes: x_TH is [T, H]; act_RI has a row a sorted route, routed_RH a row a route; J is 2I, the gate's rows first.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

from compiled.moe.align import align_blocks, group_routes
from compiled.moe.routing import route


@triton.jit
def rows_of_block(sorted_routes_R, expert_offsets_E, block_start_B, block, expert, BLOCK_M: tl.constexpr):
    """Return the block's rows of sorted_routes, the routes there, and which of the rows are the expert's."""
    rows = tl.load(block_start_B + block) + tl.arange(0, BLOCK_M)
    row_mask = rows < tl.load(expert_offsets_E + expert + 1)
    return rows, tl.load(sorted_routes_R + rows, mask=row_mask, other=0), row_mask


@triton.jit
def gate_up_kernel(
    x_TH,
    w_gate_up_EJH,
    act_RI,
    sorted_routes_R,
    expert_offsets_E,
    block_expert_B,
    block_start_B,
    num_experts,
    hidden,
    intermediate,
    stride_xt,
    stride_xh,
    stride_we,
    stride_wj,
    stride_wh,
    TOP_K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    """Compute act = silu(x @ gate.T) * (x @ up.T) for one block of routes and BLOCK_N columns of I."""
    block = tl.program_id(0)
    expert = tl.load(block_expert_B + block)
    if expert >= num_experts:
        return
    rows, routes, row_mask = rows_of_block(sorted_routes_R, expert_offsets_E, block_start_B, block, expert, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)
    column_mask = columns < intermediate

    x_rows = x_TH + (routes // TOP_K)[:, None] * stride_xt
    expert_EJH = w_gate_up_EJH + expert * stride_we
    gate_columns = expert_EJH + columns[None, :] * stride_wj
    up_columns = expert_EJH + (columns[None, :] + intermediate) * stride_wj
    gate_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    up_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, hidden, BLOCK_K):
        inner = first + tl.arange(0, BLOCK_K).to(tl.int64)
        inner_mask = inner < hidden
        x_MK = tl.load(x_rows + inner[None, :] * stride_xh, mask=row_mask[:, None] & inner_mask[None, :], other=0.0)
        weight_mask = inner_mask[:, None] & column_mask[None, :]
        gate_KN = tl.load(gate_columns + inner[:, None] * stride_wh, mask=weight_mask, other=0.0)
        up_KN = tl.load(up_columns + inner[:, None] * stride_wh, mask=weight_mask, other=0.0)
        gate_MN = tl.dot(x_MK, gate_KN, gate_MN, input_precision="ieee")
        up_MN = tl.dot(x_MK, up_KN, up_MN, input_precision="ieee")
    act_MN = gate_MN / (1.0 + tl.exp(-gate_MN)) * up_MN
    act = act_RI + rows[:, None] * intermediate + columns[None, :]
    tl.store(act, act_MN.to(act_RI.dtype.element_ty), mask=row_mask[:, None] & column_mask[None, :])


@triton.jit
def down_kernel(
    act_RI,
    w_down_EHI,
    topk_weights_R,
    out_H,
    sorted_routes_R,
    expert_offsets_E,
    block_expert_B,
    block_start_B,
    num_experts,
    hidden,
    intermediate,
    stride_we,
    stride_wh,
    stride_wi,
    TOP_K: tl.constexpr,
    SCATTER_ADD: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    """Compute weight * (act @ down.T) for one block of routes and BLOCK_N columns of H.

    Write row `route` of out [R, H], or with SCATTER_ADD add to row `token` of out [T, H], which begins as float32 0.
    """
    block = tl.program_id(0)
    expert = tl.load(block_expert_B + block)
    if expert >= num_experts:
        return
    rows, routes, row_mask = rows_of_block(sorted_routes_R, expert_offsets_E, block_start_B, block, expert, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)
    column_mask = columns < hidden

    act_rows = act_RI + rows[:, None] * intermediate
    weight_columns = w_down_EHI + expert * stride_we + columns[None, :] * stride_wh
    out_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, intermediate, BLOCK_K):
        inner = first + tl.arange(0, BLOCK_K).to(tl.int64)
        inner_mask = inner < intermediate
        act_MK = tl.load(act_rows + inner[None, :], mask=row_mask[:, None] & inner_mask[None, :], other=0.0)
        weight_mask = inner_mask[:, None] & column_mask[None, :]
        weight_KN = tl.load(weight_columns + inner[:, None] * stride_wi, mask=weight_mask, other=0.0)
        out_MN = tl.dot(act_MK, weight_KN, out_MN, input_precision="ieee")
    out_MN *= tl.load(topk_weights_R + routes, mask=row_mask, other=0.0)[:, None]
    out_mask = row_mask[:, None] & column_mask[None, :]
    if SCATTER_ADD:
        out = out_H + (routes // TOP_K)[:, None] * hidden + columns[None, :]
        tl.atomic_add(out, out_MN, mask=out_mask)
    else:
        out = out_H + routes[:, None] * hidden + columns[None, :]
        tl.store(out, out_MN.to(out_H.dtype.element_ty), mask=out_mask)


# A batch that grows compiles once.
@triton.jit(do_not_specialize=["num_tokens"])
def combine_kernel(
    routed_RH,
    topk_ids_R,
    out_TH,
    num_tokens,
    hidden,
    TOP_K: tl.constexpr,
    BLOCK_T: tl.constexpr,
    BLOCK_H: tl.constexpr,
):
    """Add up each token's routed rows; rows of dropped routes were never written and are not read."""
    tokens = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T).to(tl.int64)
    token_mask = tokens < num_tokens
    columns = tl.program_id(1) * BLOCK_H + tl.arange(0, BLOCK_H)
    column_mask = columns < hidden
    sum_TH = tl.zeros((BLOCK_T, BLOCK_H), dtype=tl.float32)
    for slot in range(TOP_K):
        routes = tokens * TOP_K + slot
        kept = tl.load(topk_ids_R + routes, mask=token_mask, other=-1) >= 0
        routed = routed_RH + routes[:, None] * hidden + columns[None, :]
        sum_TH += tl.load(routed, mask=kept[:, None] & column_mask[None, :], other=0.0).to(tl.float32)
    out = out_TH + tokens[:, None] * hidden + columns[None, :]
    tl.store(out, sum_TH.to(out_TH.dtype.element_ty), mask=token_mask[:, None] & column_mask[None, :])


def moe(
    x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, *, top_k: int, renormalize: bool
) -> Tensor:
    """Compute the mixture of experts, each route's row written apart and then combined: the same bits on every run."""
    return _moe(x, router_logits, w_gate_up, w_down, top_k, renormalize, scatter_add=False)


def moe_scatter_add(
    x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, *, top_k: int, renormalize: bool
) -> Tensor:
    """Compute the mixture of experts, the down projection adding to the tokens' rows with float32 atomics."""
    return _moe(x, router_logits, w_gate_up, w_down, top_k, renormalize, scatter_add=True)


def _moe(
    x: Tensor,
    router_logits: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    top_k: int,
    renormalize: bool,
    *,
    scatter_add: bool,
) -> Tensor:
    num_tokens, hidden = x.shape
    num_experts, _, intermediate = w_down.shape
    num_routes = num_tokens * top_k
    if num_routes == 0:
        return x.new_zeros(x.shape)
    topk_weights, topk_ids = route(router_logits, top_k, renormalize)
    groups = group_routes(topk_ids, num_experts)
    block_m = _block_m(num_routes, num_experts)
    blocks = align_blocks(groups.expert_offsets, num_routes, block_m)
    num_blocks = blocks.block_expert.shape[0]

    act = x.new_empty(num_routes, intermediate)
    tiles = _tiles(block_m, intermediate)
    gate_up_kernel[num_blocks, triton.cdiv(intermediate, tiles["BLOCK_N"])](
        x, w_gate_up, act, *groups, *blocks, num_experts, hidden, intermediate,
        *x.stride(), *w_gate_up.stride(), TOP_K=top_k, **tiles,
    )  # fmt: skip
    out = x.new_zeros(num_tokens, hidden, dtype=torch.float32) if scatter_add else x.new_empty(num_routes, hidden)
    tiles = _tiles(block_m, hidden)
    down_kernel[num_blocks, triton.cdiv(hidden, tiles["BLOCK_N"])](
        act, w_down, topk_weights, out, *groups, *blocks, num_experts, hidden, intermediate,
        *w_down.stride(), TOP_K=top_k, SCATTER_ADD=scatter_add, **tiles,
    )  # fmt: skip
    return out.to(x.dtype) if scatter_add else _combine(out, topk_ids)


def _combine(routed: Tensor, topk_ids: Tensor) -> Tensor:
    num_tokens, top_k = topk_ids.shape
    hidden = routed.shape[1]
    out = routed.new_empty(num_tokens, hidden)
    block_h = min(128, max(32, triton.next_power_of_2(hidden + 1) // 2))
    grid = (triton.cdiv(num_tokens, 16), triton.cdiv(hidden, block_h))
    combine_kernel[grid](routed, topk_ids, out, num_tokens, hidden, TOP_K=top_k, BLOCK_T=16, BLOCK_H=block_h)
    return out


def _block_m(num_routes: int, num_experts: int) -> int:
    """Return about the tokens that an expert gets, so that few rows of a block are idle."""
    return min(128, max(16, triton.next_power_of_2(num_routes // num_experts // 2)))


def _tiles(block_m: int, columns: int) -> dict[str, int]:
    """Return tile sizes: narrow where there are few columns or many rows, for the registers of two accumulators."""
    widest = 128 if block_m <= 64 else 64
    block_n = min(widest, max(32, triton.next_power_of_2(columns + 1) // 2))
    return {"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": 32 if columns <= 128 else 64}
