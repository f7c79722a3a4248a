"""What third parties' kernels want besides the reference's arguments: room for results, masks laid end to end."""

from collections.abc import Sequence

import torch
from torch import Tensor


def uninitialised(query: Tensor, query_start: Tensor, output: Tensor | None) -> tuple[Tensor, int]:
    """Return room for an output [T, H, D] like the query's, and how many rows belong to somebody; the others are 0.

    query_start int32 [B + 1]; the room is `output` where that is given.
    """
    out = torch.empty_like(query, memory_format=torch.contiguous_format) if output is None else output
    rows = int(query_start[-1])
    out[rows:] = 0.0
    return out, rows


def nothing_seen(query: Tensor, width: int, output: Tensor | None) -> tuple[Tensor, Tensor]:
    """Return the output [T, H, width] and the log-sum-exp [T, H] of queries that saw no key: zeros and -inf."""
    out = query.new_zeros((*query.shape[:2], width)) if output is None else output.zero_()
    return out, query.new_full(query.shape[:2], float("-inf"), dtype=torch.float32)


def flat_masks(tree_mask: Tensor, queries: Sequence[int], keys: Sequence[int]) -> list[Tensor]:
    """Return each request's mask [its queries, its keys], flat; keys before its queries' own are seen by all."""
    masks: list[Tensor] = []
    for rows, length in zip(tree_mask[: sum(queries)].split(list(queries)), keys, strict=True):
        own = rows[:, : len(rows)]
        masks.append(torch.nn.functional.pad(own, (length - len(rows), 0), value=True).flatten())
    return masks
