# pyright: basic, reportArgumentType=false, reportReturnType=false, reportGeneralTypeIssues=false
# pyright: reportOptionalSubscript=false
"""Grouped GEMMs over tokens sorted by expert: gate and up fused with the activation, then down, weighted and combined.

Dimensions: T tokens, K = top_k, R = T * K routes, E experts, H hidden, I intermediate, B blocks of routes.
Suffixes: x_TH is [T, H]; act_RI has a row a sorted route, routed_RH a row a route; J is 2I, the gate's rows first.
Weights may be quantised (`weights`): a step over the inner dimension stays within a block of scales.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

from eagerdiff.compiled.moe.activation import activate
from eagerdiff.compiled.moe.alignment import align
from eagerdiff.compiled.moe.combine import combine
from eagerdiff.compiled.moe.routing import route
from eagerdiff.compiled.moe.tiles import CONFIGS, KEY, LEAST, block_m, large, programs, prune
from eagerdiff.compiled.moe.weights import load_weights, load_x


@triton.jit
def rows_of_block(sorted_routes_R, expert_offsets_E, first_row, expert, BLOCK_M: tl.constexpr):
    """Return a block's rows of sorted_routes, the routes there, and which of the rows are the expert's."""
    rows = first_row + tl.arange(0, BLOCK_M)
    row_mask = rows < tl.load(expert_offsets_E + expert + 1)
    return rows, tl.load(sorted_routes_R + rows, mask=row_mask, other=0), row_mask


@triton.jit
def place_of_tile(tile, num_blocks, num_columns, AT_A_TIME: tl.constexpr = 16):
    """Return a tile's block of routes and its column of tiles.

    Tiles go through a few blocks for one column after another: those that run at once share few rows and few weights,
    so that most of either is found in the cache.
    """
    first = tile // (AT_A_TIME * num_columns) * AT_A_TIME
    count = tl.minimum(num_blocks - first, AT_A_TIME)
    place = tile - first * num_columns
    return first + place % count, place // count


# A batch that grows compiles once: here, and below.
@triton.autotune(configs=CONFIGS, key=KEY, prune_configs_by={"early_config_prune": prune}, cache_results=True)
@triton.jit(do_not_specialize=["num_blocks"])
def gate_up_kernel(
    x_TH, x_scale_TS, w_EJH, scale_EJS, bias_EJ, topk_weights_R, act_RI, sorted_routes_R, expert_offsets_E,
    block_expert_B, block_start_B, num_blocks, num_experts, inner, columns,
    stride_xt, stride_xh, stride_xst, stride_xss, stride_we, stride_wj, stride_wh, stride_se, stride_sj, stride_ss,
    stride_be, stride_bj,
    TOP_K: tl.constexpr, ACTIVATION: tl.constexpr, BIASED: tl.constexpr, WEIGHTED: tl.constexpr,
    X_PACKED: tl.constexpr, BITS: tl.constexpr, SCALE_ROWS: tl.constexpr, SCALE_BLOCK: tl.constexpr,
    LARGE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Compute the activations [R, I] from x and both projections, by tiles: a block of routes and BLOCK_N columns.

    silu(x @ gate.T) * (x @ up.T), gelu in place of silu, or relu(x @ w.T) squared.
    """
    GATED: tl.constexpr = ACTIVATION != "relu2"
    dtype: tl.constexpr = act_RI.dtype.element_ty
    for tile in range(tl.program_id(0), num_blocks * tl.cdiv(columns, BLOCK_N), tl.num_programs(0)):
        block, column = place_of_tile(tile, num_blocks, tl.cdiv(columns, BLOCK_N))
        expert = tl.load(block_expert_B + block)
        if expert < num_experts:
            first_row = tl.load(block_start_B + block)
            rows, routes, row_mask = rows_of_block(sorted_routes_R, expert_offsets_E, first_row, expert, BLOCK_M)
            first_column = column * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)
            column_mask = first_column < columns

            tokens = routes // TOP_K
            x_rows = x_TH + tokens * stride_xt
            expert_EJH = w_EJH + expert * stride_we
            gate_columns = expert_EJH + first_column * stride_wj
            up_columns = expert_EJH + (first_column + columns) * stride_wj
            gate_scales = scale_EJS + expert * stride_se + first_column // SCALE_ROWS * stride_sj
            up_scales = scale_EJS + expert * stride_se + (first_column + columns) // SCALE_ROWS * stride_sj
            gate_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
            up_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
            for first in range(0, inner, BLOCK_K):
                inner_K = first + tl.arange(0, BLOCK_K).to(tl.int64)
                inner_mask = inner_K < inner
                x_MK = load_x(x_rows, inner_K, stride_xh, row_mask[:, None] & inner_mask[None, :], X_PACKED, dtype)
                weight_mask = inner_mask[:, None] & column_mask[None, :]
                gate_KN = load_weights(gate_columns, inner_K, stride_wh, weight_mask, BITS, dtype)
                if BITS == 16:
                    gate_MN = tl.dot(x_MK, gate_KN, gate_MN, input_precision="ieee")
                    if GATED:
                        up_KN = load_weights(up_columns, inner_K, stride_wh, weight_mask, BITS, dtype)
                        up_MN = tl.dot(x_MK, up_KN, up_MN, input_precision="ieee")
                else:
                    step = first // SCALE_BLOCK
                    x_scale_M = tl.full([BLOCK_M], 1.0, tl.float32)
                    if X_PACKED:
                        x_scales = x_scale_TS + tokens * stride_xst + step * stride_xss
                        x_scale_M = tl.load(x_scales, mask=row_mask, other=0.0)
                    gate_scale_N = tl.load(gate_scales + step * stride_ss, mask=column_mask, other=0.0)
                    part_MN = tl.dot(x_MK, gate_KN, input_precision="ieee")
                    gate_MN += part_MN * x_scale_M[:, None] * gate_scale_N[None, :]
                    if GATED:
                        up_KN = load_weights(up_columns, inner_K, stride_wh, weight_mask, BITS, dtype)
                        up_scale_N = tl.load(up_scales + step * stride_ss, mask=column_mask, other=0.0)
                        part_MN = tl.dot(x_MK, up_KN, input_precision="ieee")
                        up_MN += part_MN * x_scale_M[:, None] * up_scale_N[None, :]
            if WEIGHTED:
                weight_M = tl.load(topk_weights_R + routes, mask=row_mask, other=0.0)
                gate_MN *= weight_M[:, None]
                up_MN *= weight_M[:, None]
            if BIASED:
                bias_J = bias_EJ + expert * stride_be
                gate_MN += tl.load(bias_J + first_column * stride_bj, mask=column_mask, other=0.0).to(tl.float32)[
                    None, :
                ]
                if GATED:
                    up_bias_N = bias_J + (first_column + columns) * stride_bj
                    up_MN += tl.load(up_bias_N, mask=column_mask, other=0.0).to(tl.float32)[None, :]
            act_MN = activate(gate_MN, up_MN, ACTIVATION)
            act = act_RI + rows[:, None] * columns + first_column[None, :]
            tl.store(act, act_MN.to(dtype), mask=row_mask[:, None] & column_mask[None, :])


@triton.autotune(
    configs=CONFIGS,
    key=KEY,
    prune_configs_by={"early_config_prune": prune},
    reset_to_zero=["out_H"],
    cache_results=True,
)
@triton.jit(do_not_specialize=["num_blocks"])
def down_kernel(
    act_RI, w_EHI, scale_EHS, bias_EH, topk_weights_R, out_H, sorted_routes_R, expert_offsets_E, block_expert_B,
    block_start_B, num_blocks, num_experts, inner, columns,
    stride_we, stride_wh, stride_wi, stride_se, stride_sh, stride_ss, stride_be, stride_bh,
    TOP_K: tl.constexpr, ACTIVATION: tl.constexpr, SCATTER_ADD: tl.constexpr, BIASED: tl.constexpr,
    WEIGHTED: tl.constexpr, BITS: tl.constexpr, SCALE_ROWS: tl.constexpr, SCALE_BLOCK: tl.constexpr,
    LARGE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Compute weight * (act @ down.T + bias), by tiles: a block of routes and BLOCK_N columns of H.

    Write row `route` of out [R, H], or with SCATTER_ADD add to row `token` of out [T, H], which begins as float32 0.
    """
    dtype: tl.constexpr = act_RI.dtype.element_ty
    for tile in range(tl.program_id(0), num_blocks * tl.cdiv(columns, BLOCK_N), tl.num_programs(0)):
        block, column = place_of_tile(tile, num_blocks, tl.cdiv(columns, BLOCK_N))
        expert = tl.load(block_expert_B + block)
        if expert < num_experts:
            first_row = tl.load(block_start_B + block)
            rows, routes, row_mask = rows_of_block(sorted_routes_R, expert_offsets_E, first_row, expert, BLOCK_M)
            column_N = column * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)
            column_mask = column_N < columns

            act_rows = act_RI + rows[:, None] * inner
            weight_columns = w_EHI + expert * stride_we + column_N * stride_wh
            scales = scale_EHS + expert * stride_se + column_N // SCALE_ROWS * stride_sh
            out_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
            for first in range(0, inner, BLOCK_K):
                inner_K = first + tl.arange(0, BLOCK_K).to(tl.int64)
                inner_mask = inner_K < inner
                act_MK = tl.load(act_rows + inner_K[None, :], mask=row_mask[:, None] & inner_mask[None, :], other=0.0)
                weight_mask = inner_mask[:, None] & column_mask[None, :]
                weight_KN = load_weights(weight_columns, inner_K, stride_wi, weight_mask, BITS, dtype)
                if BITS == 16:
                    out_MN = tl.dot(act_MK, weight_KN, out_MN, input_precision="ieee")
                else:
                    scale_N = tl.load(scales + first // SCALE_BLOCK * stride_ss, mask=column_mask, other=0.0)
                    out_MN += tl.dot(act_MK, weight_KN, input_precision="ieee") * scale_N[None, :]
            if BIASED:
                bias_N = tl.load(bias_EH + expert * stride_be + column_N * stride_bh, mask=column_mask, other=0.0)
                out_MN += bias_N.to(tl.float32)[None, :]
            if WEIGHTED:
                out_MN *= tl.load(topk_weights_R + routes, mask=row_mask, other=0.0)[:, None]
            out_mask = row_mask[:, None] & column_mask[None, :]
            if SCATTER_ADD:
                out = out_H + (routes // TOP_K)[:, None] * columns + column_N[None, :]
                tl.atomic_add(out, out_MN, mask=out_mask)
            else:
                out = out_H + routes[:, None] * columns + column_N[None, :]
                tl.store(out, out_MN.to(out_H.dtype.element_ty), mask=out_mask)


def moe(x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, **options) -> Tensor:
    """Compute the mixture of experts, each route's row written apart and then combined: the same bits on every run.

    Arguments and result [T, H] as the reference's.
    """
    return _moe(x, router_logits, w_gate_up, w_down, scatter_add=False, **options)


def moe_scatter_add(x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, **options) -> Tensor:
    """Compute the mixture of experts, the down projection adding to the tokens' rows with float32 atomics.

    Arguments and result [T, H] as the reference's.
    """
    return _moe(x, router_logits, w_gate_up, w_down, scatter_add=True, **options)


def moe_invariant(x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, **options) -> Tensor:
    """Compute the mixture of experts by the same tiles whatever the batch: a token's row has the same bits in each.

    Arguments and result [T, H] as the reference's.
    """
    return _moe(x, router_logits, w_gate_up, w_down, scatter_add=False, fixed=True, **options)


def routed_experts(x: Tensor, w_gate_up: Tensor, w_down: Tensor, topk_weights: Tensor, topk_ids: Tensor) -> Tensor:
    """Compute SwiGLU experts of tokens [T, H] that are routed already: weights float32 and ids int64 [T, K]."""
    if len(x) == 0:
        return torch.zeros_like(x)
    return _experts(
        x, None, w_gate_up, None, None, w_down, None, None, topk_weights, topk_ids, "swiglu", False, 128, x.dtype, False
    )


def _moe(
    x, router_logits, w_gate_up, w_down, *, scatter_add, top_k, renormalize, activation="swiglu", weight_first=False,
    gate_up_bias=None, down_bias=None, shared_gate_up=None, shared_down=None, gate_up_scale=None, down_scale=None,
    x_scale=None, scale_block=128, output_dtype=None, fixed=False, **routing,
) -> Tensor:  # fmt: skip
    dtype = output_dtype or x.dtype
    if len(x) == 0:
        return x.new_zeros(x.shape, dtype=dtype)
    topk_weights, topk_ids = route(router_logits, top_k, renormalize, **routing)
    output = _experts(
        x, x_scale, w_gate_up, gate_up_scale, gate_up_bias, w_down, down_scale, down_bias, topk_weights, topk_ids,
        activation, weight_first, scale_block, dtype, scatter_add, fixed,
    )  # fmt: skip
    if shared_gate_up is None:
        return output
    # One expert of all tokens.
    weights, ids = topk_weights.new_ones(len(x), 1), topk_ids.new_zeros(len(x), 1)
    x = x if x_scale is None else _scaled(x, x_scale, scale_block, dtype)
    return output + _experts(
        x, None, shared_gate_up[None], None, None, shared_down[None], None, None, weights, ids, activation, False,
        scale_block, dtype, False, fixed,
    )  # fmt: skip


def _experts(
    x, x_scale, w_gate_up, gate_up_scale, gate_up_bias, w_down, down_scale, down_bias, topk_weights, topk_ids,
    activation, weight_first, scale_block, dtype, scatter_add, fixed=False,
) -> Tensor:  # fmt: skip
    num_tokens, hidden = x.shape
    num_experts, top_k = len(w_down), topk_ids.shape[1]
    num_routes = num_tokens * top_k
    intermediate = w_gate_up.shape[1] // (1 if activation == "relu2" else 2)
    bits = {torch.uint8: 4, torch.float8_e4m3fn: 8}.get(w_down.dtype, 16)
    rows = LEAST if fixed else block_m(num_routes, num_experts)
    blocks = align(topk_ids, num_experts, rows)
    kind = {
        "TOP_K": top_k, "ACTIVATION": activation, "BITS": bits, "SCALE_ROWS": scale_block if bits == 8 else 1,
        "SCALE_BLOCK": scale_block, "BLOCK_M": rows, "LARGE": not fixed and large(num_routes, hidden, intermediate),
    }  # fmt: skip

    num_blocks, most = blocks.block_expert.shape[0], programs(x.device)

    def grid_over(columns):
        return lambda chosen: (min(most, num_blocks * triton.cdiv(columns, chosen["BLOCK_N"])),)

    act = torch.empty(num_routes, intermediate, dtype=dtype, device=x.device)
    # What is not there is not read; any tensor stands in for it.
    x_scales, scales, bias = _or(x_scale, topk_weights), _or(gate_up_scale, act[None]), _or(gate_up_bias, act)
    gate_up_kernel[grid_over(intermediate)](
        _bytes(x), x_scales, _bytes(w_gate_up), scales, bias, topk_weights, act, *blocks[:4],
        num_blocks, num_experts, hidden, intermediate,
        *x.stride(), *x_scales.stride(), *w_gate_up.stride(), *scales.stride(), *bias.stride(),
        BIASED=gate_up_bias is not None, WEIGHTED=weight_first, X_PACKED=x_scale is not None, **kind,
    )  # fmt: skip
    if scatter_add:
        out = torch.zeros(num_tokens, hidden, dtype=torch.float32, device=x.device)
    else:
        out = torch.empty(num_routes, hidden, dtype=dtype, device=x.device)
    scales, bias = _or(down_scale, act[None]), _or(down_bias, act)
    down_kernel[grid_over(hidden)](
        act, _bytes(w_down), scales, bias, topk_weights, out, *blocks[:4], num_blocks,
        num_experts, intermediate, hidden, *w_down.stride(), *scales.stride(), *bias.stride(),
        SCATTER_ADD=scatter_add, BIASED=down_bias is not None, WEIGHTED=not weight_first, **kind,
    )  # fmt: skip
    return out.to(dtype) if scatter_add else combine(out, None, topk_ids)


def _scaled(x: Tensor, x_scale: Tensor, scale_block: int, dtype: torch.dtype) -> Tensor:
    spread = x_scale.repeat_interleave(scale_block, dim=1)[:, : x.shape[1]]
    return (x.float() * spread).to(dtype)


def _bytes(tensor: Tensor) -> Tensor:
    """Return fp8 as bytes: not every GPU's Triton knows the format."""
    return tensor.view(torch.uint8) if tensor.dtype == torch.float8_e4m3fn else tensor


def _or(tensor: Tensor | None, other: Tensor) -> Tensor:
    return other if tensor is None else tensor
