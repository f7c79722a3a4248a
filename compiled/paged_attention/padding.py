"""Ragged batches as padded ones, and back.

Shape suffixes: T query tokens, B requests, Q queries of the longest request, H query heads, D head_dim.
"""

import torch
from torch import Tensor


def longest(query_start: Tensor) -> int:
    """Return the most queries of any request, 1 at least, from query_start [B + 1]; an engine knows it already."""
    return max(1, int((query_start[1:] - query_start[:-1]).max()))


def pad_queries(query: Tensor, query_start: Tensor, most: int) -> Tensor:
    """Return queries [T, H, D] as [B, H, Q, D]; what is past a request's last is another's."""
    row_BQ = query_start[:-1, None] + torch.arange(most, device=query.device)
    return query[row_BQ.clamp(max=query.shape[0] - 1)].transpose(1, 2)


def unpad_rows(out_BHQD: Tensor, query_start: Tensor, num_tokens: int) -> Tensor:
    """Return [T, H, D] from padded requests; rows of nobody are 0."""
    token_T = torch.arange(num_tokens, device=out_BHQD.device)
    owner_T = torch.searchsorted(query_start, token_T, right=True) - 1
    request_T = owner_T.clamp(max=out_BHQD.shape[0] - 1)
    number_T = (token_T - query_start[request_T]).clamp(max=out_BHQD.shape[2] - 1)
    somebody_T = owner_T < out_BHQD.shape[0]
    return out_BHQD[request_T, :, number_T].where(somebody_T[:, None, None], 0.0)
