# pyright: basic, reportArgumentType=false, reportReturnType=false
"""What programs of the products share: a block's rows, its values, its expert's columns, the activation.

Suffixes: M rows of a block, N its columns; values hold a block after the other, of a gate's block the up's after it.
"""

import triton
import triton.language as tl


@triton.jit
def load_rows(sorted_routes_R, block_start_B, block_end_B, row, BLOCK_M: tl.constexpr):
    """Return the routes of a block row, and which of them are no padding."""
    rows = tl.load(block_start_B + row) + tl.arange(0, BLOCK_M)
    row_mask = rows < tl.load(block_end_B + row)
    return tl.load(sorted_routes_R + rows, mask=row_mask, other=0), row_mask


@triton.jit
def values_of(values_N, block, half, HALVES: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """Return pointers to a block's values [M, N], which are all there: padding is zeros."""
    inside = tl.arange(0, BLOCK_M)[:, None] * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    return values_N + (block.to(tl.int64) * HALVES + half) * (BLOCK_M * BLOCK_N) + inside


@triton.jit
def columns_of(column, column_blocks, intermediate, BLOCK_N: tl.constexpr):
    """Return the expert of a block column, which of its intermediate columns these are, and which are no padding."""
    column_N = column % column_blocks * BLOCK_N + tl.arange(0, BLOCK_N)
    return column // column_blocks, column_N, column_N < intermediate


@triton.jit
def activate(gate_MN, up_MN, ACTIVATION: tl.constexpr):
    """Return silu(gate) * up, gelu(gate) * up, or relu(gate) squared, in float32."""
    if ACTIVATION == "swiglu":
        act_MN = gate_MN / (1.0 + tl.exp(-gate_MN)) * up_MN
    elif ACTIVATION == "geglu":
        act_MN = 0.5 * gate_MN * (1.0 + tl.erf(gate_MN * 0.7071067811865476)) * up_MN
    else:
        act_MN = tl.maximum(gate_MN, 0.0)
        act_MN *= act_MN
    return act_MN


@triton.jit
def activate_backward(grad_MN, gate_MN, up_MN, ACTIVATION: tl.constexpr):
    """Return the gradients of gate and up from that of the activation, in float32."""
    if ACTIVATION == "swiglu":
        sigmoid_MN = 1.0 / (1.0 + tl.exp(-gate_MN))
        value_MN = gate_MN * sigmoid_MN
        slope_MN = sigmoid_MN * (1.0 + gate_MN * (1.0 - sigmoid_MN))
    elif ACTIVATION == "geglu":
        normal_MN = 0.5 * (1.0 + tl.erf(gate_MN * 0.7071067811865476))
        value_MN = gate_MN * normal_MN
        slope_MN = normal_MN + gate_MN * 0.3989422804014327 * tl.exp(-0.5 * gate_MN * gate_MN)
    else:
        value_MN = tl.zeros_like(gate_MN)
        slope_MN = 2.0 * tl.maximum(gate_MN, 0.0)
        up_MN = tl.full(gate_MN.shape, 1.0, tl.float32)
    return grad_MN * up_MN * slope_MN, grad_MN * value_MN
