# pyright: basic, reportArgumentType=false, reportReturnType=false, reportGeneralTypeIssues=false
"""SDD, dense times dense where a topology has blocks: the gate and up projections, and the gradient of activations.

Dimensions: T tokens, R routes, E experts, H hidden, I intermediate, J = 2I (I where nothing is gated), N blocks, B
block rows. Suffixes: M and N are a block's rows and columns, x_TH is [T, H], values_N hold N blocks (`blocks`).
"""

import triton
import triton.language as tl
from torch import Tensor

from eagerdiff.compiled.moe.activation import activate, activate_backward
from eagerdiff.compiled.moe.block_sparse.blocks import columns_of, load_rows, values_of
from eagerdiff.compiled.moe.block_sparse.layout import Layout
from eagerdiff.compiled.moe.block_sparse.tiles import CONFIGS, KEY, prune_inner


@triton.autotune(configs=CONFIGS, key=KEY, prune_configs_by={"early_config_prune": prune_inner}, cache_results=True)
@triton.jit
def sdd_kernel(
    x_TH, w_EJH, bias_EJ, topk_weights_R, values_N, saved_N, sorted_routes_R, block_start_B, block_end_B,
    column_indices_N, row_indices_N, num_columns, column_blocks, hidden, intermediate,
    stride_xt, stride_xh, stride_we, stride_wj, stride_wh, stride_be, stride_bj,
    TOP_K: tl.constexpr, ACTIVATION: tl.constexpr, BIASED: tl.constexpr, WEIGHTED: tl.constexpr, SAVED: tl.constexpr,
    HALVES: tl.constexpr, LARGE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, TILE_H: tl.constexpr,
):  # fmt: skip
    """Compute one block of the activations of (weight x) @ w.T + bias, the gate's and the up's columns at once.

    SAVED: write what is activated, too, as the backward pass needs it.
    """
    GATED: tl.constexpr = HALVES == 2
    dtype: tl.constexpr = values_N.dtype.element_ty
    block = tl.program_id(0)
    column = tl.load(column_indices_N + block)
    if column >= num_columns:
        return
    expert, column_N, column_mask = columns_of(column, column_blocks, intermediate, BLOCK_N)
    row = tl.load(row_indices_N + block)
    routes, row_mask = load_rows(sorted_routes_R, block_start_B, block_end_B, row, BLOCK_M)
    x_M = x_TH + routes // TOP_K * stride_xt
    gate_N = w_EJH + expert * stride_we + column_N * stride_wj
    up_N = w_EJH + expert * stride_we + (column_N + intermediate) * stride_wj
    gate_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    up_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, hidden, TILE_H):
        inner_H = first + tl.arange(0, TILE_H).to(tl.int64)
        inner_mask = inner_H < hidden
        x_MH = tl.load(
            x_M[:, None] + inner_H[None, :] * stride_xh, mask=row_mask[:, None] & inner_mask[None, :], other=0.0
        )
        weight_mask = inner_mask[:, None] & column_mask[None, :]
        gate_HN = tl.load(gate_N[None, :] + inner_H[:, None] * stride_wh, mask=weight_mask, other=0.0)
        gate_MN = tl.dot(x_MH, gate_HN, gate_MN, input_precision="ieee")
        if GATED:
            up_HN = tl.load(up_N[None, :] + inner_H[:, None] * stride_wh, mask=weight_mask, other=0.0)
            up_MN = tl.dot(x_MH, up_HN, up_MN, input_precision="ieee")
    if WEIGHTED:
        weight_M = tl.load(topk_weights_R + routes, mask=row_mask, other=0.0)
        gate_MN *= weight_M[:, None]
        up_MN *= weight_M[:, None]
    if BIASED:
        bias_J = bias_EJ + expert * stride_be
        gate_MN += tl.load(bias_J + column_N * stride_bj, mask=column_mask, other=0.0).to(tl.float32)[None, :]
        if GATED:
            up_bias_N = bias_J + (column_N + intermediate) * stride_bj
            up_MN += tl.load(up_bias_N, mask=column_mask, other=0.0).to(tl.float32)[None, :]
    act_MN = tl.where(row_mask[:, None], activate(gate_MN, up_MN, ACTIVATION), 0.0)
    tl.store(values_of(values_N, block, 0, 1, BLOCK_M, BLOCK_N), act_MN.to(dtype))
    if SAVED:
        tl.store(values_of(saved_N, block, 0, HALVES, BLOCK_M, BLOCK_N), gate_MN.to(dtype))
        if GATED:
            tl.store(values_of(saved_N, block, 1, HALVES, BLOCK_M, BLOCK_N), up_MN.to(dtype))


@triton.autotune(configs=CONFIGS, key=KEY, prune_configs_by={"early_config_prune": prune_inner}, cache_results=True)
@triton.jit
def sdd_backward_kernel(
    grad_TH, w_EHI, topk_weights_R, saved_N, values_N, sorted_routes_R, block_start_B, block_end_B,
    column_indices_N, row_indices_N, num_columns, column_blocks, hidden, intermediate,
    stride_gt, stride_gh, stride_we, stride_wh, stride_wi,
    TOP_K: tl.constexpr, ACTIVATION: tl.constexpr, WEIGHTED: tl.constexpr,
    HALVES: tl.constexpr, LARGE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, TILE_H: tl.constexpr,
):  # fmt: skip
    """Compute one block of the gradients of gate and up from weight * grad @ w: the down projection transposed."""
    dtype: tl.constexpr = values_N.dtype.element_ty
    block = tl.program_id(0)
    column = tl.load(column_indices_N + block)
    if column >= num_columns:
        return
    expert, column_N, column_mask = columns_of(column, column_blocks, intermediate, BLOCK_N)
    row = tl.load(row_indices_N + block)
    routes, row_mask = load_rows(sorted_routes_R, block_start_B, block_end_B, row, BLOCK_M)
    grad_M = grad_TH + routes // TOP_K * stride_gt
    w_N = w_EHI + expert * stride_we + column_N * stride_wi
    sum_MN = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, hidden, TILE_H):
        inner_H = first + tl.arange(0, TILE_H).to(tl.int64)
        inner_mask = inner_H < hidden
        grad_MH = tl.load(
            grad_M[:, None] + inner_H[None, :] * stride_gh, mask=row_mask[:, None] & inner_mask[None, :], other=0.0
        )
        weight_mask = inner_mask[:, None] & column_mask[None, :]
        w_HN = tl.load(w_N[None, :] + inner_H[:, None] * stride_wh, mask=weight_mask, other=0.0)
        sum_MN = tl.dot(grad_MH, w_HN, sum_MN, input_precision="ieee")
    if WEIGHTED:
        sum_MN *= tl.load(topk_weights_R + routes, mask=row_mask, other=0.0)[:, None]
    gate_MN = tl.load(values_of(saved_N, block, 0, HALVES, BLOCK_M, BLOCK_N)).to(tl.float32)
    up_MN = gate_MN
    if HALVES == 2:
        up_MN = tl.load(values_of(saved_N, block, 1, HALVES, BLOCK_M, BLOCK_N)).to(tl.float32)
    grad_gate_MN, grad_up_MN = activate_backward(sum_MN, gate_MN, up_MN, ACTIVATION)
    tl.store(values_of(values_N, block, 0, HALVES, BLOCK_M, BLOCK_N), grad_gate_MN.to(dtype))
    if HALVES == 2:
        tl.store(values_of(values_N, block, 1, HALVES, BLOCK_M, BLOCK_N), grad_up_MN.to(dtype))


def sdd(
    x: Tensor, w_gate_up: Tensor, bias: Tensor | None, topk_weights: Tensor | None, layout: Layout, activation: str,
    saved: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Return the activations [N, 1, BLOCK_M, BLOCK_N] of x [T, H] times w_gate_up [E, J, H], plus bias [E, J].

    topk_weights [T, K], float32, multiply x where they are given; `saved` [N, HALVES, BLOCK_M, BLOCK_N] takes what is
    activated.
    """
    values, strides = layout.new_values(x, 1), (0, 0) if bias is None else bias.stride()
    sdd_kernel[(len(values),)](
        x, w_gate_up, _or(bias, x), _or(topk_weights, x), values, _or(saved, x), *layout.rows,
        layout.topology.column_indices, layout.topology.row_indices, layout.num_columns, layout.column_blocks,
        layout.hidden, layout.intermediate, *x.stride(), *w_gate_up.stride(), *strides,
        TOP_K=layout.top_k, ACTIVATION=activation, BIASED=bias is not None, WEIGHTED=topk_weights is not None,
        SAVED=saved is not None, HALVES=layout.halves, **layout.sizes,
    )  # fmt: skip
    return values


def sdd_backward(
    grad: Tensor, w_down: Tensor, topk_weights: Tensor | None, saved: Tensor, layout: Layout, activation: str
) -> Tensor:
    """Return the values [N, HALVES, BLOCK_M, BLOCK_N] of the gradients of what `sdd` saved.

    grad [T, H] is that of the tokens' outputs, which topk_weights [T, K], float32, multiply where they are given, and
    w_down [E, H, I] what the activations were multiplied with.
    """
    values = layout.new_values(saved, layout.halves)
    sdd_backward_kernel[(len(values),)](
        grad, w_down, _or(topk_weights, grad), saved, values, *layout.rows, layout.topology.column_indices,
        layout.topology.row_indices, layout.num_columns, layout.column_blocks, layout.hidden, layout.intermediate,
        *grad.stride(), *w_down.stride(), TOP_K=layout.top_k, ACTIVATION=activation, WEIGHTED=topk_weights is not None,
        HALVES=layout.halves, **layout.sizes,
    )  # fmt: skip
    return values


def _or(tensor: Tensor | None, other: Tensor) -> Tensor:
    """Return what stands in for a tensor that is not there, and is not read."""
    return other if tensor is None else tensor
