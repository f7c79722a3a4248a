"""What an expert computes, in torch's operations, shared by the implementations that are no kernels."""

import torch
from torch import Tensor
from torch.nn.functional import gelu, silu


def act(gate_up: Tensor, activation: str) -> Tensor:
    """Return the hidden activations [..., I] from gate_up [..., J]."""
    if activation == "relu2":
        return torch.square(torch.relu(gate_up))
    gate, up = gate_up.chunk(2, dim=-1)
    return (gelu(gate) if activation == "geglu" else silu(gate)) * up


def add_shared(
    output: Tensor, x: Tensor, shared_gate_up: Tensor | None, shared_down: Tensor | None, activation: str
) -> Tensor:
    """Add to output [T, H] the expert that every token x [T, H] passes, where there is one.

    shared_gate_up [J, H], shared_down [H, I].
    """
    if shared_gate_up is None or shared_down is None:
        return output
    return output + act(x @ shared_gate_up.T, activation) @ shared_down.T
