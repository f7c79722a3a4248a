"""Dropless mixtures of experts as block-sparse products, as MegaBlocks computes them, with gradients."""

from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.moe.block_sparse.dsd import dsd_kernel, dsd_transposed_kernel
from eagerdiff.compiled.moe.block_sparse.experts import Experts
from eagerdiff.compiled.moe.block_sparse.sdd import sdd_backward_kernel, sdd_kernel
from eagerdiff.compiled.moe.combine import combine_kernel, weight_gradient_kernel
from eagerdiff.compiled.moe.routing import route

KERNELS: tuple[Any, ...] = (sdd_kernel, dsd_kernel, combine_kernel)
BACKWARD_KERNELS: tuple[Any, ...] = (sdd_backward_kernel, dsd_transposed_kernel, weight_gradient_kernel)


def moe(
    x: Tensor,
    router_logits: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    *,
    top_k: int,
    renormalize: bool,
    activation: str = "swiglu",
    weight_first: bool = False,
    gate_up_bias: Tensor | None = None,
    down_bias: Tensor | None = None,
    shared_gate_up: Tensor | None = None,
    shared_down: Tensor | None = None,
    **routing: Any,
) -> Tensor:
    """Compute the mixture of experts; a shared expert is one expert of all tokens. Differentiable.

    Arguments and result [T, H] as the reference's.
    """
    topk_weights, topk_ids = route(router_logits, top_k, renormalize, **routing)
    output = _experts(x, topk_weights, w_gate_up, w_down, gate_up_bias, down_bias, topk_ids, activation, weight_first)
    if shared_gate_up is None or shared_down is None:
        return output
    weights = torch.ones(len(x), 1, device=x.device)
    everyone = torch.zeros(len(x), 1, dtype=torch.int64, device=x.device)
    shared = _experts(x, weights, shared_gate_up[None], shared_down[None], None, None, everyone, activation, False)
    return output + shared


def _experts(*args: Any) -> Tensor:
    return Experts.apply(*args)  # pyright: ignore[reportReturnType]
