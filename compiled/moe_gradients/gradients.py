"""Gradients of a differentiable mixture of experts, taken outside of it as training does."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def gradients_of(mixture: Callable[..., Tensor]) -> Callable[..., dict[str, Tensor]]:
    """Return what calls a function of the mixture's signature and gives its output and, by name, the gradients.

    Its arguments are the mixture's and grad_output [T, H]; a gradient has its argument's shape and dtype: [T, H] for x.
    """

    def moe_gradients(
        x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, grad_output: Tensor, **options: Any
    ) -> dict[str, Tensor]:
        given = {"x": x, "router_logits": router_logits, "w_gate_up": w_gate_up, "w_down": w_down}
        names = ("gate_up_bias", "down_bias", "shared_gate_up", "shared_down")
        learned = {name: options[name].detach().requires_grad_() for name in names if options.get(name) is not None}
        leaves = {name: tensor.detach().requires_grad_() for name, tensor in given.items()}
        output = mixture(*leaves.values(), **{**options, **learned})
        leaves |= learned
        # What no token reaches may be no part of the graph.
        gradients = torch.autograd.grad(
            output, list(leaves.values()), grad_output, allow_unused=True, materialize_grads=True
        )
        return {"output": output.detach(), **dict(zip(leaves, gradients, strict=True))}

    return moe_gradients
