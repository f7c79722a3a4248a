"""The experts through `torch.nn.functional.grouped_mm`, over tokens sorted by expert."""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import grouped_mm

from eagerdiff.compiled.moe.align import group_routes
from eagerdiff.compiled.moe.experts import act, add_shared
from eagerdiff.compiled.moe.routing import route


def moe(
    x: Tensor,
    router_logits: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    *,
    top_k: int,
    renormalize: bool,
    activation: str = "swiglu",
    shared_gate_up: Tensor | None = None,
    shared_down: Tensor | None = None,
    **routing: Any,
) -> Tensor:
    """Compute the mixture of experts; needs 16-byte strides (see `unsupported_size`).

    Arguments and result [T, H] as the reference's.
    """
    topk_weights, topk_ids = route(router_logits, top_k, renormalize, **routing)
    groups = group_routes(topk_ids, w_down.shape[0])
    offsets = groups.expert_offsets[1:].to(torch.int32)
    # grouped_mm leaves the rows past the last offset unwritten, so dropped routes are chosen away, not multiplied by 0;
    # and so are the gradients of those rows, in all that differentiates this.
    dropped = topk_ids.flatten()[groups.sorted_routes, None] < 0
    rows = x[groups.sorted_routes // top_k].masked_fill(dropped, 0.0)
    hidden = act(grouped_mm(rows, w_gate_up.mT, offs=offsets), activation)
    sorted_output = grouped_mm(hidden, w_down.mT, offs=offsets).masked_fill(dropped, 0.0)
    weighted = sorted_output.float() * topk_weights.flatten()[groups.sorted_routes, None]
    routed = torch.zeros_like(weighted).index_copy(0, groups.sorted_routes, weighted)
    output = routed.view(-1, top_k, x.shape[1]).sum(dim=1).to(x.dtype)
    return add_shared(output, x, shared_gate_up, shared_down, activation)


def unsupported_size(size: int, element_size: int) -> str | None:
    """Return why rows of `size` elements do not suit, or None: grouped_mm wants strides of a multiple of 16 bytes."""
    if size * element_size % 16 == 0:
        return None
    return f"grouped_mm needs strides that are a multiple of 16 bytes, not {size} x {element_size}"
