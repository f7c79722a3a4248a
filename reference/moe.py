"""Mixture of experts: routing, gated or plain experts, weighted combine, in plain eager torch.

Shapes: T tokens, H hidden, E experts, I intermediate, J = 2I (I where nothing is gated), K = top_k.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import gelu, silu

from eagerdiff.reference.moe_routing import moe_routing


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
    gate_up_scale: Tensor | None = None,
    down_scale: Tensor | None = None,
    x_scale: Tensor | None = None,
    scale_block: int = 128,
    output_dtype: torch.dtype | None = None,
    **routing: Any,
) -> Tensor:
    """Send each token through its experts and add up what they give, weighted by the router.

    x [T, H]; router_logits [T, experts to choose from], float32 (float64 beside float64 inputs); w_gate_up [E, J, H],
    gate rows first; w_down [E, H, I]; x and the weights share a dtype, which the output [T, H] has too. top_k,
    renormalize and `routing` are those of the operator moe_routing, whose expert_map says which experts are among E.

    activation: `swiglu`, `geglu` (silu, gelu of the gate, times up) or `relu2` (relu squared, nothing gated).
    weight_first: a route's weight multiplies x and not the expert's output. gate_up_bias [E, J] and down_bias [E, H]
    are the experts'; shared_gate_up [S, H] and shared_down [H, S'] are one more
    expert's, which all tokens pass unweighted.

    Quantised weights: float8_e4m3fn with a scale a scale_block x scale_block (gate_up_scale [E, J / block, H / block]),
    or int4 plus 8, two to a byte along the last dim, the low one first, with a scale a row and scale_block of it
    (gate_up_scale [E, J, H / block]); sizes divided upwards, scales float32. x may be float8_e4m3fn, x_scale
    [T, H / scale_block], and the output is of output_dtype.

    Arguments may lie anyhow, expanded ones among them. A token with no route gives 0 (and its shared expert) whatever
    its row of x holds; NaN in one that is routed stays in its own row. Where the k-th and the next logit
    tie, any choice is right, so callers give tied experts the same weights.
    """
    topk_weights, topk_ids = route(router_logits, top_k, renormalize, **routing)
    dtype = output_dtype or x.dtype
    x = dequantize(x, x_scale, 1, scale_block, dtype)
    output = torch.zeros(x.shape, dtype=dtype, device=x.device)
    for expert in chosen(topk_ids):
        tokens, slots = torch.where(topk_ids == expert)
        weights = topk_weights[tokens, slots, None].to(dtype)
        hidden = act(
            x[tokens] * weights if weight_first else x[tokens],
            unpack(w_gate_up, gate_up_scale, expert, scale_block, x.shape[1], dtype),
            None if gate_up_bias is None else gate_up_bias[expert],
            activation,
        )
        expert_output = hidden @ unpack(w_down, down_scale, expert, scale_block, hidden.shape[1], dtype).T
        if down_bias is not None:
            expert_output = expert_output + down_bias[expert]
        output.index_add_(0, tokens, expert_output if weight_first else expert_output * weights)
    if shared_gate_up is not None and shared_down is not None:
        output = output + act(x, shared_gate_up, None, activation) @ shared_down.T
    return output


def chosen(topk_ids: Tensor) -> list[int]:
    """Return the experts that some token goes to, in rising order, of topk_ids [T, K]; -1 is none."""
    return [expert for expert in topk_ids.unique().tolist() if expert >= 0]


def route(router_logits: Tensor, top_k: int, renormalize: bool, **routing: Any) -> tuple[Tensor, Tensor]:
    """Return topk_weights [T, K], in the logits' dtype, and topk_ids [T, K], int64, -1 for a dropped route.

    The experts are chosen in float64, so that every dtype chooses the same experts.
    """
    topk_weights, topk_ids, _ = moe_routing(router_logits, top_k=top_k, renormalize=renormalize, **routing)
    return topk_weights, topk_ids


def choose_experts(router_logits: Tensor, **options: Any) -> tuple[Tensor, Tensor]:
    """Return topk_weights [T, K], float64, and topk_ids [T, K] of a call of `moe`, given all of its options."""
    names = ("activation", "weight_first", "gate_up_bias", "down_bias", "shared_gate_up", "shared_down")
    quantised = ("gate_up_scale", "down_scale", "x_scale", "scale_block", "output_dtype")
    routing = {name: value for name, value in options.items() if name not in (*names, *quantised)}
    return route(router_logits.double(), **routing)


def act(x: Tensor, w_gate_up: Tensor, bias: Tensor | None, activation: str) -> Tensor:
    """Return an expert's hidden activations [T, I] from x [T, H] and w_gate_up [J, H]."""
    gate_up = x @ w_gate_up.T
    if bias is not None:
        gate_up = gate_up + bias
    if activation == "relu2":
        return gate_up.relu().square()
    gate, up = gate_up.chunk(2, dim=-1)
    return (gelu(gate) if activation == "geglu" else silu(gate)) * up


def unpack(weights: Tensor, scale: Tensor | None, expert: int, block: int, columns: int, dtype: torch.dtype) -> Tensor:
    """Return an expert's weights [N, columns] in `dtype`."""
    if scale is None:
        return weights[expert]
    packed = weights[expert]
    if packed.dtype != torch.uint8:
        return dequantize(packed, scale[expert], block, block, dtype)
    values = torch.stack((packed & 15, packed >> 4), dim=-1).flatten(1)[:, :columns]
    return dequantize(values.to(dtype) - 8, scale[expert], 1, block, dtype)


def dequantize(values: Tensor, scale: Tensor | None, rows: int, columns: int, dtype: torch.dtype) -> Tensor:
    """Multiply values [N, M] by the scale of their block of rows x columns, in float32; without one return them."""
    if scale is None:
        return values
    spread = scale.repeat_interleave(rows, dim=0)[: values.shape[0]]
    spread = spread.repeat_interleave(columns, dim=1)[:, : values.shape[1]]
    return (values.to(torch.float32) * spread).to(dtype)


def magnitude(
    x: Tensor,
    router_logits: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    **options: Any,
) -> Tensor:
    """Return the sum of the absolute terms of each output element [T, H], float64: weight x |down| x |activation|.

    What cancels inside the gate and up projections is left to eager's own error: carried through both products, a bound
    on it would forgive a hundred times what rounding does.
    """
    activation, block = options.get("activation", "swiglu"), options.get("scale_block", 128)
    topk_weights, topk_ids = choose_experts(router_logits, **options)
    x = dequantize(x.double(), options.get("x_scale"), 1, block, torch.float64).double()
    output = torch.zeros_like(x)
    for expert in chosen(topk_ids):
        tokens, slots = torch.where(topk_ids == expert)
        weights = topk_weights[tokens, slots, None]
        gate_up = unpack(w_gate_up, options.get("gate_up_scale"), expert, block, x.shape[1], torch.float64).double()
        bias = None if options.get("gate_up_bias") is None else options["gate_up_bias"][expert].double()
        hidden = act(x[tokens] * weights if options.get("weight_first") else x[tokens], gate_up, bias, activation)
        down = unpack(w_down, options.get("down_scale"), expert, block, hidden.shape[1], torch.float64).double()
        terms = hidden.abs() @ down.abs().T
        if options.get("down_bias") is not None:
            terms = terms + options["down_bias"][expert].double().abs()
        output.index_add_(0, tokens, terms if options.get("weight_first") else terms * weights)
    if options.get("shared_gate_up") is not None:
        shared = act(x, options["shared_gate_up"].double(), None, activation)
        output = output + shared.abs() @ options["shared_down"].double().abs().T
    return output
