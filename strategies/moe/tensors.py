"""The tensors of a mixture of experts: logits that give the counts wanted, poison wherever nothing may be read."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.argument_layouts import lay_out_arguments
from eagerdiff.strategies.cases.moe import Layout, MoeCase
from eagerdiff.strategies.layouts import spread

ARGUMENTS = ("x", "router_logits", "w_gate_up", "w_down")
"""Names of the positional arguments, in order."""
_FREE = ("gate_up_bias", "down_bias", "gate_up_scale", "down_scale", "x_scale", "selection_bias")
"""Arguments whose rows may be alike."""
_ROW_PADDING = 8
LARGE = 64.0
"""Weights of terms that cancel: a sum in bfloat16 is off by a quarter on the way, one in float32 by 4e-6."""
_POOL = 4_194_301
"""Distinct random values a tensor, prime: larger tensors repeat them out of step, so a Mixtral is built in seconds."""


def inputs(case: MoeCase, device: str) -> Inputs:
    """Build x, router_logits, w_gate_up, w_down and the options from the case's seed, the same on every device."""
    generator = torch.Generator().manual_seed(case.seed)
    wanted_ids = _wanted_ids(case, generator)
    router_logits = _router_logits(case, wanted_ids, generator).to(device)
    x = _random((case.tokens, case.hidden), generator, device)
    if case.data == "outliers":
        x[:, torch.randperm(case.hidden, generator=generator)[: -(-case.hidden // 16)].to(device)] *= 16
    if cancels(case):
        x[:, [0, -1]] = 1.0
    if case.poison and not case.shared_intermediate:
        x[(wanted_ids < 0).all(dim=1).to(device)] = torch.nan
    if case.nan_tokens:
        x[_broken(case, wanted_ids).to(device)] = torch.nan
    options = _plain_options(case)
    if case.quantised_x:
        options["x_scale"] = _scales(case, x.shape, 1, generator).to(device)
        x = _quantise(x, options["x_scale"], 1, case.scale_block)
        options["output_dtype"] = getattr(torch, case.dtype)
    else:
        x = x.to(getattr(torch, case.dtype))
    weights: list[Tensor] = []
    for name, shape in (("gate_up", (case.gate_up, case.hidden)), ("down", (case.hidden, case.intermediate))):
        values = _random((case.local_experts, *shape), generator, device) * shape[1] ** -0.5
        if cancels(case):
            _let_cancel(values, case, name)
        weight, scale = _weights(case, _tied(case, values), generator)
        weights.append(weight)
        if scale is not None:
            options[f"{name}_scale"] = scale
        if case.expert_bias:
            bias = _random((case.local_experts, shape[0]), generator, device) / 2
            if cancels(case) and name == "gate_up":
                bias.unflatten(1, (-1, case.intermediate))[..., -1] = bias[:, :: case.intermediate]
            options[f"{name}_bias"] = _tied(case, bias).to(getattr(torch, case.dtype))
    if case.shared_intermediate:
        rows = case.shared_intermediate * case.gate_up // case.intermediate
        for name, shape in (("gate_up", (rows, case.hidden)), ("down", (case.hidden, case.shared_intermediate))):
            values = _random(shape, generator, device) * shape[1] ** -0.5
            options[f"shared_{name}"] = values.to(getattr(torch, case.dtype))
    options |= {name: tensor.to(device) for name, tensor in _routing_options(case).items()}
    x = _laid_out(x, case.x_layout)
    if case.x_layout == "far" and len(x) > 2:
        x = spread(x)[0]
    if case.weight_layout == "far" and case.local_experts > 2:
        weights = spread(*weights)
    return lay_out_arguments(Inputs((x, router_logits, *weights), options), ARGUMENTS, case.layouts, free=_FREE)


def _broken(case: MoeCase, wanted_ids: Tensor) -> Tensor:
    """Return which tokens are to be NaN, [T]: a fifth of them, and one that an expert gets, where there is one."""
    generator = torch.Generator().manual_seed(case.seed + 3)
    broken = torch.rand(case.tokens, generator=generator) < 0.2
    routed = (wanted_ids >= 0).any(dim=1).nonzero().flatten()
    if len(routed):
        broken[routed[torch.randint(len(routed), (), generator=generator)]] = True
    return broken


def cancels(case: MoeCase) -> bool:
    """Say whether large terms are to cancel, and can without a trace."""
    narrow = case.dtype != "float32" and case.weight_dtype == "as_x"
    return case.data == "cancelling" and narrow and case.hidden > 1 and case.intermediate > 2


def _let_cancel(values: Tensor, case: MoeCase, name: str) -> None:
    """Make the first and the last term of every sum of a projection large and opposite, in place.

    The first and the last of an expert's activations are alike, whatever the order of summation: of the gate's and the
    up projection's rows for them one weight is not 0, and their biases, where there are any, are alike too.
    """
    values[..., 0], values[..., -1] = LARGE, -LARGE
    if name == "gate_up":
        for first in range(0, case.gate_up, case.intermediate):
            alike = values[:, [first, first + case.intermediate - 1]].zero_()
            alike[..., 0] = 2.0
            values[:, [first, first + case.intermediate - 1]] = alike


def _plain_options(case: MoeCase) -> dict[str, Any]:
    """Return the options that are no tensors, the usual ones left out."""
    options: dict[str, Any] = {"top_k": case.top_k, "renormalize": case.renormalize}
    usual = {"activation": "swiglu", "weight_first": False, "scoring": "softmax", "scaling": 1.0}
    options |= {name: getattr(case, name) for name, value in usual.items() if getattr(case, name) != value}
    if case.num_groups > 1:
        options |= {"num_groups": case.num_groups, "kept_groups": case.kept_groups}
    if case.weight_dtype != "as_x":
        options["scale_block"] = case.scale_block
    return options


def routing(case: MoeCase) -> dict[str, Any]:
    """Return the options of `route`, without building the rest."""
    names = ("top_k", "renormalize", "scoring", "scaling", "num_groups", "kept_groups")
    chosen = {name: value for name, value in _plain_options(case).items() if name in names}
    return chosen | _routing_options(case)


def _routing_options(case: MoeCase) -> dict[str, Tensor]:
    """Return selection_bias [E] and expert_map [E], where the case asks for them."""
    generator = torch.Generator().manual_seed(case.seed + 1)
    options: dict[str, Tensor] = {}
    if case.selection_bias:
        # Too little to choose otherwise: what is wanted has a score of a half at least, the rest below a fifth.
        bias = torch.rand(case.num_experts, generator=generator) / 8
        first_of_group = torch.arange(case.num_experts) // case.tie_group * case.tie_group
        # Of groups, sums decide: there the bias is one number.
        bias = torch.full_like(bias, 0.25) if case.num_groups > 1 else bias[first_of_group]
        options["selection_bias"] = (12 if case.seed % 2 else 0) + bias
    if case.experts_elsewhere:
        here = torch.randperm(case.num_experts, generator=generator)[: case.local_experts].sort().values
        expert_map = torch.full((case.num_experts,), -1)
        expert_map[here] = torch.arange(case.local_experts)
        options["expert_map"] = expert_map
    return options


def router_logits(case: MoeCase) -> Tensor:
    """Return the logits [T, E] that `inputs` gives, float32 on the CPU, without building the rest."""
    generator = torch.Generator().manual_seed(case.seed)
    return _router_logits(case, _wanted_ids(case, generator), generator)


def _wanted_ids(case: MoeCase, generator: torch.Generator) -> Tensor:
    """Return expert ids [T, K], int64, -1 for a dropped route, with expert_tokens of each expert.

    The routes lie expert after expert in K rows of as many tokens as are routed; no expert has more than a row's worth,
    so none meets a token twice.
    """
    real = case.tokens - case.padding_tokens
    order = torch.randperm(case.num_experts, generator=generator)
    flat = torch.full((real * case.top_k,), -1)
    routed = order.repeat_interleave(torch.tensor(case.expert_tokens)[order])
    flat[: len(routed)] = routed
    topk_ids = torch.full((case.tokens, case.top_k), -1)
    topk_ids[:real] = flat.view(case.top_k, real).T
    return topk_ids[torch.randperm(case.tokens, generator=generator)]


def _router_logits(case: MoeCase, wanted_ids: Tensor, generator: torch.Generator) -> Tensor:
    """Give wanted experts logits in [0, 2), others in [-2, -1.5): no rounding can choose differently."""
    shape = (case.tokens, case.num_experts)
    # Column E catches the dropped routes.
    wanted = torch.zeros(case.tokens, case.num_experts + 1, dtype=torch.bool)
    wanted.scatter_(1, wanted_ids.where(wanted_ids >= 0, case.num_experts), True)
    high, low = 2 * torch.rand(shape, generator=generator), torch.rand(shape, generator=generator) / 2 - 2
    low[(wanted_ids < 0).any(dim=1)] = -torch.inf
    if case.num_groups > 1 or case.selection_bias or case.scoring == "sigmoid":
        # Scores in steps: which experts fill the groups up is no matter of rounding.
        order = torch.rand(shape, generator=generator).argsort(dim=1) / max(1, case.num_experts)
        high, low = 2 * order, (order / 2 - 2).where(low > -torch.inf, low)
    logits = high.where(wanted[:, :-1], low)
    if case.data == "outliers" and case.scoring != "sigmoid" and case.num_groups == 1 and not case.selection_bias:
        logits += 400 * torch.rand((case.tokens, 1), generator=generator) - 200
    for first in range(0, case.num_experts, case.tie_group):
        group = slice(first, first + case.tie_group)
        logits[:, group] = logits[:, group].amax(dim=1, keepdim=True)
    if case.nan_logits:
        nowhere = (wanted_ids < 0).all(dim=1)
        logits[nowhere] = 0.0
        logits[nowhere, case.seed % case.num_experts] = torch.nan
    return logits


def _tied(case: MoeCase, values: Tensor) -> Tensor:
    """Give neighbouring experts that share logits what the first of them has."""
    if case.tie_group == 1:
        return values
    return values[torch.arange(len(values), device=values.device) // case.tie_group * case.tie_group]


def _weights(case: MoeCase, values: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor | None]:
    """Return weights [E, N, M] as the case stores them, and their scales."""
    if case.weight_dtype == "as_x":
        return _laid_out(values.to(getattr(torch, case.dtype)), case.weight_layout), None
    if case.weight_dtype == "float8_e4m3fn":
        scale = _tied(case, _scales(case, values.shape, case.scale_block, generator).to(values.device))
        packed = _quantise(values, scale, case.scale_block, case.scale_block)
        return _laid_out(packed, case.weight_layout), scale
    return _pack(case, values)


def _scales(case: MoeCase, shape: Sequence[int], rows: int, generator: torch.Generator) -> Tensor:
    """Draw the scale of each block of rows x scale_block of values [..., N, M]; a few blocks are of zeros."""
    blocks = (*shape[:-2], -(-shape[-2] // rows), -(-shape[-1] // case.scale_block))
    # Far from one another, so that a wrong one is seen; a power of two would hide that it is applied after rounding.
    scale = 0.3 + 3 * torch.rand(blocks, generator=generator)
    return scale.where(torch.rand(blocks, generator=generator) > 0.1, 0.0)


def _quantise(values: Tensor, scale: Tensor, rows: int, columns: int) -> Tensor:
    """Return values [..., N, M] over the scales of their blocks as float8_e4m3fn; 0 where the scale is."""
    height, width = values.shape[-2:]
    spread = scale.repeat_interleave(rows, dim=-2)[..., :height, :].repeat_interleave(columns, dim=-1)[..., :width]
    quotient = (values / spread).where((spread > 0) | values.isnan(), 0.0)
    return quotient.clamp(-448, 448).to(torch.float8_e4m3fn)


def _pack(case: MoeCase, values: Tensor) -> tuple[Tensor, Tensor]:
    """Return values [E, N, M] as uint8 [E, N, M / 2] of two int4 each, and scales [E, N, M / scale_block]."""
    width = values.shape[-1]
    groups = torch.nn.functional.pad(values, (0, -width % case.scale_block)).unflatten(-1, (-1, case.scale_block))
    scale = groups.abs().amax(dim=-1) / 7
    spread = scale.repeat_interleave(case.scale_block, dim=-1)[..., :width]
    levels = (values / spread.where(spread > 0, 1.0)).round().clamp(-8, 7).to(torch.int64) + 8
    low, high = torch.nn.functional.pad(levels, (0, width % 2), value=15).unflatten(-1, (-1, 2)).unbind(-1)
    return _laid_out((low | high << 4).to(torch.uint8), case.weight_layout), scale


def _random(shape: tuple[int, ...], generator: torch.Generator, device: str) -> Tensor:
    count = torch.Size(shape).numel()
    pool = torch.randn(min(count, _POOL), generator=generator).to(device)
    repeats = -(-count // _POOL)
    return (pool if repeats <= 1 else pool.repeat(repeats)[:count]).view(shape)


def _laid_out(tensor: Tensor, layout: Layout) -> Tensor:
    if layout == "transposed":
        return tensor.mT.contiguous().mT
    if layout in ("contiguous", "far"):
        return tensor
    *rows, width = tensor.shape
    poison = torch.nan if tensor.is_floating_point() else 255
    buffer = torch.full((*rows, width + _ROW_PADDING), poison, device=tensor.device).to(tensor.dtype)
    buffer[..., :width] = tensor
    return buffer[..., :width]
