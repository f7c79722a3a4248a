# pyright: basic, reportArgumentType=false, reportReturnType=false
"""What programs of the products share: a block's rows, its values, its expert's columns.

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
