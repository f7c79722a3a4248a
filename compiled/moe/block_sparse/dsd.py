# pyright: basic, reportArgumentType=false, reportReturnType=false, reportGeneralTypeIssues=false
"""DSD, sparse times dense: the down projection and the gradient of x; transposed, the gradients of weights.

Dimensions: T tokens, R routes, E experts, H hidden, I intermediate, N blocks, B block rows, C block columns of all
experts. Suffixes: M and N are a block's rows and columns, x_TH is [T, H], values_N hold N blocks (`blocks`).
"""

import triton
import triton.language as tl
from torch import Tensor

from eagerdiff.compiled.moe.block_sparse.blocks import columns_of, load_rows, values_of
from eagerdiff.compiled.moe.block_sparse.layout import Layout
from eagerdiff.compiled.moe.block_sparse.tiles import CONFIGS, KEY, prune_outer
from eagerdiff.compiled.moe.block_sparse.topology import Transposed


@triton.autotune(configs=CONFIGS, key=KEY, prune_configs_by={"early_config_prune": prune_outer}, cache_results=True)
@triton.jit
def dsd_kernel(
    values_N, w_EIH, bias_EH, out_RH, sorted_routes_R, block_start_B, block_end_B, offsets_B, column_indices_N,
    column_blocks, hidden, intermediate, stride_we, stride_wi, stride_wh, stride_be, stride_bh, BIASED: tl.constexpr,
    HALVES: tl.constexpr, LARGE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, TILE_H: tl.constexpr,
):  # fmt: skip
    """Multiply a block row by the rows of w that its columns name, TILE_H columns of them; row `route` of out gets it.

    The second half's columns meet the rows of w from `intermediate` on. Rows of dropped routes are not written.
    """
    row = tl.program_id(0)
    first, end = tl.load(offsets_B + row), tl.load(offsets_B + row + 1)
    if first == end:
        return
    routes, row_mask = load_rows(sorted_routes_R, block_start_B, block_end_B, row, BLOCK_M)
    column_H = tl.program_id(1) * TILE_H + tl.arange(0, TILE_H).to(tl.int64)
    column_mask = column_H < hidden
    sum_MH = tl.zeros((BLOCK_M, TILE_H), dtype=tl.float32)
    for block in range(first, end):
        expert, inner_N, inner_mask = columns_of(
            tl.load(column_indices_N + block), column_blocks, intermediate, BLOCK_N
        )
        mask = inner_mask[:, None] & column_mask[None, :]
        for half in tl.static_range(HALVES):
            w_N = w_EIH + expert * stride_we + (inner_N + half * intermediate) * stride_wi
            w_NH = tl.load(w_N[:, None] + column_H[None, :] * stride_wh, mask=mask, other=0.0)
            values_MN = tl.load(values_of(values_N, block, half, HALVES, BLOCK_M, BLOCK_N))
            sum_MH = tl.dot(values_MN, w_NH, sum_MH, input_precision="ieee")
    if BIASED:
        expert = tl.load(column_indices_N + first) // column_blocks
        bias_H = tl.load(bias_EH + (expert * stride_be + column_H * stride_bh), mask=column_mask, other=0.0)
        sum_MH += bias_H.to(tl.float32)[None, :]
    out = out_RH + routes[:, None] * hidden + column_H[None, :]
    tl.store(out, sum_MH.to(out_RH.dtype.element_ty), mask=row_mask[:, None] & column_mask[None, :])


@triton.autotune(
    configs=CONFIGS, key=[*KEY, "BIAS"], prune_configs_by={"early_config_prune": prune_outer}, cache_results=True
)
@triton.jit
def dsd_transposed_kernel(
    values_N, x_TH, topk_weights_R, out_EIH, bias, sorted_routes_R, block_start_B, block_end_B, offsets_C,
    block_offsets_N, row_indices_N, column_blocks, hidden, intermediate, stride_xt, stride_xh, stride_oe, stride_oi,
    stride_oh, TOP_K: tl.constexpr, WEIGHTED: tl.constexpr, BIAS: tl.constexpr,
    HALVES: tl.constexpr, LARGE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, TILE_H: tl.constexpr,
):  # fmt: skip
    """Multiply a block column, transposed, by its routes' rows of weight * x: a gradient of an expert's weights.

    An expert with no tokens has no blocks, and its gradient is written all the same. BIAS: `values` adds up the sparse
    matrix's rows, for bias [E, HALVES * I]; `x` those of weight * x, for bias [E, H]; `none` neither.
    """
    half = tl.program_id(0) % HALVES
    column = (tl.program_id(0) // HALVES).to(tl.int64)
    expert, inner_N, inner_mask = columns_of(column, column_blocks, intermediate, BLOCK_N)
    column_H = tl.program_id(1) * TILE_H + tl.arange(0, TILE_H).to(tl.int64)
    column_mask = column_H < hidden
    sum_NH = tl.zeros((BLOCK_N, TILE_H), dtype=tl.float32)
    sum_N = tl.zeros((BLOCK_N,), dtype=tl.float32)
    sum_H = tl.zeros((TILE_H,), dtype=tl.float32)
    for index in range(tl.load(offsets_C + column), tl.load(offsets_C + column + 1)):
        block = tl.load(block_offsets_N + index)
        row = tl.load(row_indices_N + block)
        routes, row_mask = load_rows(sorted_routes_R, block_start_B, block_end_B, row, BLOCK_M)
        x_M = x_TH + routes // TOP_K * stride_xt
        mask = row_mask[:, None] & column_mask[None, :]
        x_MH = tl.load(x_M[:, None] + column_H[None, :] * stride_xh, mask=mask, other=0.0)
        if WEIGHTED:
            weight_M = tl.load(topk_weights_R + routes, mask=row_mask, other=0.0)
            x_MH = (x_MH.to(tl.float32) * weight_M[:, None]).to(x_TH.dtype.element_ty)
        values_MN = tl.load(values_of(values_N, block, half, HALVES, BLOCK_M, BLOCK_N))
        sum_NH = tl.dot(tl.trans(values_MN), x_MH, sum_NH, input_precision="ieee")
        if BIAS == "values":
            sum_N += tl.sum(values_MN.to(tl.float32), 0)
        if BIAS == "x":
            sum_H += tl.sum(x_MH.to(tl.float32), 0)
    row_N = inner_N + half * intermediate
    out = out_EIH + expert * stride_oe + row_N[:, None] * stride_oi + column_H[None, :] * stride_oh
    tl.store(out, sum_NH.to(out_EIH.dtype.element_ty), mask=inner_mask[:, None] & column_mask[None, :])
    if BIAS == "values":
        once_N = inner_mask & (tl.program_id(1) == 0)
        tl.store(bias + expert * (HALVES * intermediate) + row_N, sum_N.to(bias.dtype.element_ty), mask=once_N)
    if BIAS == "x":
        once_H = column_mask & (column % column_blocks == 0)
        tl.store(bias + expert * hidden + column_H, sum_H.to(bias.dtype.element_ty), mask=once_H)


def dsd(values: Tensor, w: Tensor, bias: Tensor | None, layout: Layout) -> Tensor:
    """Return the routes' rows [R, H] of the sparse values [N, HALVES, BLOCK_M, BLOCK_N] times w [E, HALVES * I, H].

    bias [E, H] is added where it is given; rows of dropped routes are not written.
    """
    out = values.new_empty(layout.num_routes, layout.hidden)
    topology = layout.topology
    strides = (0, 0) if bias is None else bias.stride()

    def grid(chosen):
        return len(topology.block_start), triton.cdiv(layout.hidden, chosen["TILE_H"])

    dsd_kernel[grid](
        values, w, values if bias is None else bias, out, *layout.rows, topology.offsets, topology.column_indices,
        layout.column_blocks, layout.hidden, layout.intermediate, *w.stride(), *strides, BIASED=bias is not None,
        HALVES=values.shape[1], **layout.sizes,
    )  # fmt: skip
    return out


def dsd_transposed(
    values: Tensor, x: Tensor, topk_weights: Tensor | None, out: Tensor, transposed: Transposed, layout: Layout,
    bias: Tensor | None = None, bias_of: str = "values",
) -> None:  # fmt: skip
    """Write the sparse values [N, HALVES, BLOCK_M, BLOCK_N], transposed, times x [T, H] to out [E, HALVES * I, H].

    topk_weights [T, K], float32, multiply x where they are given. A bias, contiguous, gets the sums over each expert's
    routes: [E, HALVES * I] of `values`, or [E, H] of `x`, weighted.
    """
    topology = layout.topology

    def grid(chosen):
        return layout.num_columns * values.shape[1], triton.cdiv(layout.hidden, chosen["TILE_H"])

    dsd_transposed_kernel[grid](
        values, x, values if topk_weights is None else topk_weights, out, values if bias is None else bias,
        *layout.rows, *transposed, topology.row_indices, layout.column_blocks, layout.hidden, layout.intermediate,
        *x.stride(), *out.stride(), TOP_K=layout.top_k, WEIGHTED=topk_weights is not None,
        BIAS="none" if bias is None else bias_of, HALVES=values.shape[1], **layout.sizes,
    )  # fmt: skip
