"""What third parties' experts are given: the routed experts of the operator `moe`, and nothing around them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Declined
from eagerdiff.compiled.moe.experts import add_shared
from eagerdiff.compiled.moe.routing import route


@dataclass(frozen=True)
class Layer:
    """Routed experts; fields as the reference's arguments."""

    w_gate_up: Tensor
    w_down: Tensor
    activation: str
    weight_first: bool
    gate_up_bias: Tensor | None
    down_bias: Tensor | None
    gate_up_scale: Tensor | None
    down_scale: Tensor | None
    scale_block: int
    num_experts: int
    """Experts to choose from, of which those in `expert_map` are here."""
    expert_map: Tensor | None


Experts = Callable[[Tensor, Tensor, Tensor, Layer], Tensor]
"""Return [T, H] of x [T, H], topk_weights [T, K] float32, topk_ids [T, K] int64 (-1: no route) and the layer."""


def routed(experts: Experts, *, maps: bool = False) -> Callable[..., Tensor]:
    """Return the operator `moe` of a third party's experts: routing and the shared expert are torch's.

    Its arguments and result [T, H] are as the reference's. maps: ids stay those of all experts, and the layer has the
    map to those here.
    """

    def moe(
        x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, *, top_k: int, renormalize: bool,
        activation: str = "swiglu", weight_first: bool = False, gate_up_bias: Tensor | None = None,
        down_bias: Tensor | None = None, shared_gate_up: Tensor | None = None, shared_down: Tensor | None = None,
        gate_up_scale: Tensor | None = None, down_scale: Tensor | None = None, scale_block: int = 128,
        expert_map: Tensor | None = None, **routing: Any,
    ) -> Tensor:  # fmt: skip
        local = None if maps else expert_map
        topk_weights, topk_ids = route(router_logits, top_k, renormalize, expert_map=local, **routing)
        layer = Layer(
            w_gate_up, w_down, activation, weight_first, gate_up_bias, down_bias, gate_up_scale, down_scale,
            scale_block, router_logits.shape[1] if maps else len(w_down), expert_map if maps else None,
        )  # fmt: skip
        output = experts(x, topk_weights, topk_ids, layer)
        return add_shared(output, x, shared_gate_up, shared_down, activation)

    return moe


def at_no_weight(x: Tensor, topk_ids: Tensor) -> Tensor:
    """Return ids [T, K] with the first expert's for -1, for kernels that know no dropped route: its weight is 0.

    x [T, H]. Raises Declined where the row of such a token is not finite: 0 times NaN is NaN.
    """
    dropped = topk_ids < 0
    if bool((dropped.any(dim=1) & ~torch.isfinite(x).all(dim=1)).any()):
        raise Declined("a route that is not there is one of weight 0 here, which NaN survives")
    return topk_ids.clamp_min(0)
