"""Activations, and gates made of them: any shape, the result of the first argument's dtype."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor


def relu_squared(x: Tensor) -> Tensor:
    """Return max(x, 0)² of x of any shape (arXiv 2109.08668)."""
    return F.relu(x).square()


def gelu_tanh(x: Tensor) -> Tensor:
    """Return the approximation of GELU by tanh, of x of any shape (arXiv 1606.08415)."""
    return F.gelu(x, approximate="tanh")


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """Return silu(gate) up; gate and up of any shape, the same (arXiv 2002.05202)."""
    return F.silu(gate) * up


def swiglu_scaled(gate: Tensor, up: Tensor, gate_scale: float, scale: float) -> Tensor:
    """Return silu(gate_scale gate) up scale; gate and up of any shape, the same."""
    return swiglu(gate_scale * gate, up) * scale


def swiglu_halves(x: Tensor) -> Tensor:
    """Return silu of the left half of x [..., 2 width] times the right half: [..., width]."""
    return swiglu(*x.chunk(2, -1))


def geglu(gate: Tensor, up: Tensor) -> Tensor:
    """Return gelu(gate) up, exact by erf; gate and up of any shape, the same (arXiv 2002.05202)."""
    return F.gelu(gate) * up


def geglu_tanh(gate: Tensor, up: Tensor) -> Tensor:
    """Return gelu(gate) up, approximated by tanh; gate and up of any shape, the same."""
    return gelu_tanh(gate) * up


def glu(x: Tensor, activation: str = "sigmoid") -> Tensor:
    """Return the left half of x [..., 2 width] times an activation of the right half: [..., width]."""
    left, right = x.chunk(2, -1)
    return left * apply(right, activation)


def apply(x: Tensor, activation: str) -> Tensor:
    """Apply an activation by its name in torch (`relu6`, `gelu`, `sigmoid`, …), at its defaults, to x of any shape."""
    function = getattr(torch, activation, None) or getattr(F, activation)
    return function(x)


def linear(x: Tensor, weight: Tensor, bias: Tensor, activation: str | None = None) -> Tensor:
    """Return an activation, or none, of x weight + bias: x [..., width], weight [width, out], bias [out]."""
    found = x @ weight + bias
    return found if activation is None else apply(found, activation)


def linear_transposed(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return x weightᵀ + bias: x [..., width], weight [out, width], bias [out]; the result [..., out]."""
    return F.linear(x, weight, bias)


def swiglu_backward(grad: Tensor, gate: Tensor, up: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return silu(gate) up, and grad times the derivatives by up and by gate; all of any shape, the same."""
    return _gated_backward(F.silu, grad, gate, up)


def geglu_backward(grad: Tensor, gate: Tensor, up: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return gelu(gate) up, and grad times the derivatives by up and by gate; all of any shape, the same."""
    return _gated_backward(F.gelu, grad, gate, up)


def geglu_tanh_backward(grad: Tensor, gate: Tensor, up: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return gelu_tanh(gate) up, and grad times the derivatives by up and by gate; all of any shape, the same."""
    return _gated_backward(gelu_tanh, grad, gate, up)


def _gated_backward(
    activation: Callable[[Tensor], Tensor], grad: Tensor, gate: Tensor, up: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    with torch.enable_grad():
        leaf = gate.detach().requires_grad_()
        active = activation(leaf)
        (by_gate,) = torch.autograd.grad(active, leaf, grad * up)
    return active.detach() * up, grad * active.detach(), by_gate
