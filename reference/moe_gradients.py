"""Gradients of a mixture of experts, by eager autograd over `eagerdiff.reference.moe`.

Shapes: T tokens, H hidden, E experts, I intermediate, J = 2I (I where nothing is gated), S rows of a shared expert.
"""

from typing import Any

import torch
from torch import Tensor

from eagerdiff.reference import moe

_LEARNED = ("gate_up_bias", "down_bias", "shared_gate_up", "shared_down")


def moe_gradients(
    x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, grad_output: Tensor, **options: Any
) -> dict[str, Tensor]:
    """Return the output [T, H] and, by name, the gradients of x [T, H], router_logits [T, E] and all of the weights.

    w_gate_up [E, J, H] and w_down [E, H, I], and where they are given gate_up_bias [E, J], down_bias [E, H],
    shared_gate_up [S, H] and shared_down [H, S']; grad_output [T, H] is the output's gradient. Arguments and options
    are those of the operator moe. What no route reaches has a gradient of 0: an expert with no tokens, a token with no
    expert, whatever its row of x holds. Which experts are chosen is not differentiated, how they are weighed is.
    """
    given = {"x": x, "router_logits": router_logits, "w_gate_up": w_gate_up, "w_down": w_down}
    given = {name: tensor.detach().requires_grad_() for name, tensor in given.items()}
    learned = {name: options[name].detach().requires_grad_() for name in _LEARNED if options.get(name) is not None}
    with torch.enable_grad():
        output = moe.moe(*given.values(), **{**options, **learned})
    leaves = given | learned
    if not output.requires_grad:  # no token is routed anywhere
        return {"output": output, **{name: torch.zeros_like(leaf) for name, leaf in leaves.items()}}
    gradients = torch.autograd.grad(
        output, list(leaves.values()), grad_output, allow_unused=True, materialize_grads=True
    )
    return {"output": output.detach(), **dict(zip(leaves, gradients, strict=True))}


def magnitude(
    x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, grad_output: Tensor, **options: Any
) -> dict[str, Tensor | None]:
    """Return sums of absolute terms, float64: the output's, and a bound on those of the logits' gradients [T, E].

    Those often cancel altogether: renormalised, the weight of a token's only route is 1 whatever its logit is.
    """
    routed = {name: value for name, value in options.items() if not name.startswith("shared")}
    terms = moe.magnitude(x, router_logits, w_gate_up, w_down, **routed)
    of_logits = (terms * grad_output.double().abs()).sum(dim=1, keepdim=True).expand_as(router_logits)
    names = ("x", "router_logits", "w_gate_up", "w_down", *(name for name in _LEARNED if name in options))
    return {"output": terms if routed == options else None} | {
        name: of_logits if name == "router_logits" else None for name in names
    }
