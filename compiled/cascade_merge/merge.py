"""Merge partial softmaxes of one query: the parts of a split context, or the levels of a cascade.

Shape suffixes: X parts, T query tokens, H query heads, V value_dim (padded to a power of two inside the kernel).
"""

# pyright: basic, reportArgumentType=false, reportAttributeAccessIssue=false

import triton
import triton.language as tl
from torch import Tensor

# Strides between parts and tokens grow with the number of either, which changes from call to call.
_VARYING = ["num_parts", *(f"stride_{name}_{dim}" for name in ("partial", "maximum", "total") for dim in "XT")]


@triton.jit(do_not_specialize=_VARYING)
def merge_kernel(
    output_THV, lse_TH, partial_XTHV, maximum_XTH, total_XTH, num_parts, stride_output_T, stride_output_H,
    stride_output_V, stride_partial_X, stride_partial_T, stride_partial_H, stride_partial_V, stride_maximum_X,
    stride_maximum_T, stride_maximum_H, stride_total_X, stride_total_T, stride_total_H,
    NUM_HEADS: tl.constexpr, VALUE_DIM: tl.constexpr, TILE_H: tl.constexpr, TILE_V: tl.constexpr,
):  # fmt: skip
    """Merge one query token's parts for a tile of heads; grid (T, tiles of heads).

    A part is its sum Σ exp(s - m) · v [V], its maximum m and its total Σ exp(s - m). One of maximum -inf is not read.
    """
    token = tl.program_id(0).to(tl.int64)
    head_H = tl.program_id(1) * TILE_H + tl.arange(0, TILE_H).to(tl.int64)
    column_V = tl.arange(0, TILE_V).to(tl.int64)
    live_H = head_H < NUM_HEADS
    m_H = tl.full([TILE_H], float("-inf"), tl.float32)
    l_H = tl.zeros([TILE_H], tl.float32)
    acc_HV = tl.zeros([TILE_H, TILE_V], tl.float32)
    for part in range(num_parts):
        offset = part.to(tl.int64) * stride_maximum_X + token * stride_maximum_T
        part_m_H = tl.load(maximum_XTH + offset + head_H * stride_maximum_H, mask=live_H, other=float("-inf"))
        # A part that saw nothing left its sums unwritten.
        seen_H = part_m_H > float("-inf")
        offset = part.to(tl.int64) * stride_total_X + token * stride_total_T
        part_l_H = tl.load(total_XTH + offset + head_H * stride_total_H, mask=seen_H, other=0.0)
        offset = part.to(tl.int64) * stride_partial_X + token * stride_partial_T
        offset_HV = (offset + head_H * stride_partial_H)[:, None] + column_V[None, :] * stride_partial_V
        live_HV = seen_H[:, None] & (column_V < VALUE_DIM)[None, :]
        part_HV = tl.load(partial_XTHV + offset_HV, mask=live_HV, other=0.0).to(tl.float32)

        new_m_H = tl.maximum(m_H, part_m_H)
        # Nothing seen so far keeps -inf; 0 stands in for it, as -inf - -inf is NaN.
        pivot_H = tl.where(new_m_H == float("-inf"), 0.0, new_m_H)
        old_H, new_H = tl.exp(m_H - pivot_H), tl.exp(part_m_H - pivot_H)
        acc_HV = acc_HV * old_H[:, None] + part_HV * new_H[:, None]
        l_H = l_H * old_H + part_l_H * new_H
        m_H = new_m_H
    out_HV = acc_HV / tl.where(l_H == 0.0, 1.0, l_H)[:, None]
    output_H = output_THV + (token * stride_output_T + head_H * stride_output_H)
    output_HV = output_H[:, None] + column_V[None, :] * stride_output_V
    tl.store(output_HV, out_HV.to(output_THV.dtype.element_ty), live_H[:, None] & (column_V < VALUE_DIM)[None, :])
    tl.store(lse_TH + token * NUM_HEADS + head_H, m_H + tl.log(l_H), live_H)


def merge(output: Tensor, lse: Tensor, partial: Tensor, maximum: Tensor, total: Tensor) -> None:
    """Merge partial [X, T, H, V], maximum and total [X, T, H] float32 into output [T, H, V] and lse [T, H].

    They may lie anyhow, but for lse, which is contiguous.
    """
    _, num_tokens, num_heads, value_dim = partial.shape
    tile_V = triton.next_power_of_2(value_dim)
    tile_H = min(triton.next_power_of_2(num_heads), max(1, 2048 // tile_V))
    merge_kernel[(num_tokens, triton.cdiv(num_heads, tile_H))](
        output, lse, partial, maximum, total, len(partial), *output.stride(), *partial.stride(), *maximum.stride(),
        *total.stride(), NUM_HEADS=num_heads, VALUE_DIM=value_dim, TILE_H=tile_H, TILE_V=tile_V,
    )  # fmt: skip


def cascade_merge(outputs: Tensor, lses: Tensor) -> tuple[Tensor, Tensor]:
    """Merge attention states outputs [X, T, H, V] and lses float32 [X, T, H]; result as the reference's."""
    output, lse = outputs.new_empty(outputs.shape[1:]), lses.new_empty(lses.shape[1:])
    if output.numel():  # CUDA refuses an empty grid
        merge(output, lse, outputs, lses, lses.new_ones(lses.shape[2]).expand_as(lses))
    return output, lse
