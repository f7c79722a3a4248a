# pyright: basic, reportArgumentType=false, reportReturnType=false
"""From routes back to tokens: each token's rows added up, weighted; and the gradient of those weights.

Dimensions: T tokens, K = top_k, R = T * K routes, H hidden.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

_TOKENS = 16


# A batch that grows compiles once.
@triton.jit(do_not_specialize=["num_tokens"])
def combine_kernel(
    rows_RH, topk_weights_R, topk_ids_R, out_TH, num_tokens, hidden,
    WEIGHTED: tl.constexpr, TOP_K: tl.constexpr, BLOCK_T: tl.constexpr, BLOCK_H: tl.constexpr,
):  # fmt: skip
    """Add up each token's rows, times their weights; rows of dropped routes were never written and are not read."""
    tokens = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T).to(tl.int64)
    token_mask = tokens < num_tokens
    column_H = tl.program_id(1) * BLOCK_H + tl.arange(0, BLOCK_H)
    column_mask = column_H < hidden
    sum_TH = tl.zeros((BLOCK_T, BLOCK_H), dtype=tl.float32)
    for slot in range(TOP_K):
        routes = tokens * TOP_K + slot
        kept = tl.load(topk_ids_R + routes, mask=token_mask, other=-1) >= 0
        row_TH = rows_RH + routes[:, None] * hidden + column_H[None, :]
        row_TH = tl.load(row_TH, mask=kept[:, None] & column_mask[None, :], other=0.0).to(tl.float32)
        if WEIGHTED:
            row_TH *= tl.load(topk_weights_R + routes, mask=kept, other=0.0)[:, None]
        sum_TH += row_TH
    out = out_TH + tokens[:, None] * hidden + column_H[None, :]
    tl.store(out, sum_TH.to(out_TH.dtype.element_ty), mask=token_mask[:, None] & column_mask[None, :])


@triton.jit(do_not_specialize=["num_tokens"])
def weight_gradient_kernel(
    rows_RH, x_TH, topk_ids_R, out_R, num_tokens, hidden, stride_xt, stride_xh,
    TOP_K: tl.constexpr, BLOCK_T: tl.constexpr, BLOCK_H: tl.constexpr,
):  # fmt: skip
    """Multiply each route's row by its token's row of x and add up; 0 for dropped routes."""
    tokens = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T).to(tl.int64)
    token_mask = tokens < num_tokens
    routes = tokens * TOP_K + tl.program_id(1)
    kept = tl.load(topk_ids_R + routes, mask=token_mask, other=-1) >= 0
    sum_T = tl.zeros((BLOCK_T,), dtype=tl.float32)
    for first in range(0, hidden, BLOCK_H):
        column_H = first + tl.arange(0, BLOCK_H).to(tl.int64)
        mask = kept[:, None] & (column_H < hidden)[None, :]
        row_TH = tl.load(rows_RH + routes[:, None] * hidden + column_H[None, :], mask=mask, other=0.0)
        x_tile = x_TH + tokens[:, None] * stride_xt + column_H[None, :] * stride_xh
        x_tile = tl.load(x_tile, mask=mask, other=0.0).to(tl.float32)
        sum_T += tl.sum(row_TH.to(tl.float32) * x_tile, 1)
    tl.store(out_R + routes, sum_T, mask=token_mask)


def combine(rows: Tensor, topk_weights: Tensor | None, topk_ids: Tensor) -> Tensor:
    """Return [T, H] from the routes' rows [R, H]; without weights [T, K], float32, they are added up as they are."""
    num_tokens, top_k = topk_ids.shape
    hidden = rows.shape[1]
    out = rows.new_empty(num_tokens, hidden)
    columns = _columns(hidden)
    combine_kernel[(triton.cdiv(num_tokens, _TOKENS), triton.cdiv(hidden, columns))](
        rows, rows if topk_weights is None else topk_weights, topk_ids, out, num_tokens, hidden,
        WEIGHTED=topk_weights is not None, TOP_K=top_k, BLOCK_T=_TOKENS, BLOCK_H=columns,
    )  # fmt: skip
    return out


def weight_gradient(rows: Tensor, x: Tensor, topk_ids: Tensor) -> Tensor:
    """Return the products [T, K], float32, of the routes' rows [R, H] and their tokens' rows of x [T, H]."""
    num_tokens, top_k = topk_ids.shape
    out = torch.empty(num_tokens, top_k, dtype=torch.float32, device=x.device)
    weight_gradient_kernel[(triton.cdiv(num_tokens, _TOKENS), top_k)](
        rows, x, topk_ids, out, num_tokens, x.shape[1], *x.stride(), TOP_K=top_k, BLOCK_T=_TOKENS,
        BLOCK_H=_columns(x.shape[1]),
    )  # fmt: skip
    return out


def _columns(hidden: int) -> int:
    return min(128, max(32, triton.next_power_of_2(hidden + 1) // 2))
