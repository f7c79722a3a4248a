# pyright: basic, reportArgumentType=false, reportReturnType=false
"""What an expert does between its products, in Triton: the activation, and its gradient.

Suffixes: M rows, N columns of a tile.
"""

import triton
import triton.language as tl


@triton.jit
def activate(gate_MN, up_MN, ACTIVATION: tl.constexpr):
    """Return silu(gate) * up, gelu(gate) * up, or relu(gate) squared, in float32."""
    if ACTIVATION == "swiglu":
        act_MN = gate_MN / (1.0 + tl.exp(-gate_MN)) * up_MN
    elif ACTIVATION == "geglu":
        act_MN = 0.5 * gate_MN * (1.0 + tl.erf(gate_MN * 0.7071067811865476)) * up_MN
    else:
        act_MN = tl.maximum(gate_MN, 0.0, propagate_nan=tl.PropagateNan.ALL)
        act_MN *= act_MN
    return act_MN


@triton.jit
def activate_backward(grad_MN, gate_MN, up_MN, ACTIVATION: tl.constexpr):
    """Return the gradients of gate and up from that of the activation, in float32."""
    if ACTIVATION == "swiglu":
        sigmoid_MN = 1.0 / (1.0 + tl.exp(-gate_MN))
        value_MN = gate_MN * sigmoid_MN
        slope_MN = sigmoid_MN * (1.0 + gate_MN * (1.0 - sigmoid_MN))
    elif ACTIVATION == "geglu":
        normal_MN = 0.5 * (1.0 + tl.erf(gate_MN * 0.7071067811865476))
        value_MN = gate_MN * normal_MN
        slope_MN = normal_MN + gate_MN * 0.3989422804014327 * tl.exp(-0.5 * gate_MN * gate_MN)
    else:
        value_MN = tl.zeros_like(gate_MN)
        slope_MN = 2.0 * tl.maximum(gate_MN, 0.0, propagate_nan=tl.PropagateNan.ALL)
        up_MN = tl.full(gate_MN.shape, 1.0, tl.float32)
    return grad_MN * up_MN * slope_MN, grad_MN * value_MN
