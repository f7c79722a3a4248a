"""The experts through `torch.nn.functional.grouped_mm`, over tokens sorted by expert."""

import torch
from torch import Tensor
from torch.nn.functional import grouped_mm, silu

from compiled.moe.align import group_routes
from compiled.moe.routing import route


def moe(
    x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, *, top_k: int, renormalize: bool
) -> Tensor:
    """Compute the mixture of experts; needs 16-byte strides (see `unsupported_size`)."""
    topk_weights, topk_ids = route(router_logits, top_k, renormalize)
    groups = group_routes(topk_ids, w_down.shape[0])
    offsets = groups.expert_offsets[1:].to(torch.int32)
    gate, up = grouped_mm(x[groups.sorted_routes // top_k], w_gate_up.mT, offs=offsets).chunk(2, dim=-1)
    sorted_output = grouped_mm(silu(gate) * up, w_down.mT, offs=offsets)
    # grouped_mm leaves the rows past the last offset unwritten, so dropped routes are chosen away, not multiplied by 0.
    weighted = sorted_output.float() * topk_weights.flatten()[groups.sorted_routes, None]
    dropped = topk_ids.flatten()[groups.sorted_routes] < 0
    routed = torch.empty_like(weighted)
    routed[groups.sorted_routes] = torch.where(dropped[:, None], 0.0, weighted)
    return routed.view(-1, top_k, x.shape[1]).sum(dim=1).to(x.dtype)


def unsupported_size(size: int, element_size: int) -> str | None:
    """Return why rows of `size` elements do not suit, or None: grouped_mm wants strides of a multiple of 16 bytes."""
    if size * element_size % 16 == 0:
        return None
    return f"grouped_mm needs strides that are a multiple of 16 bytes, not {size} x {element_size}"
