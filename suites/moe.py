"""The page of `moe`: top-k routing, SwiGLU experts, weighted combine."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import silu

from compiled.moe import IMPLEMENTATIONS
from harness import Cost, Inputs, Operator, Relation, Workload
from reference.moe import magnitude, moe, route
from strategies.moe import MoeCase, apportion, cases, inputs, router_logits, workload_cases

Transformed = tuple[Inputs, Callable[[Tensor], Tensor]]
_HERE = Path(__file__).parent


def cost(case: MoeCase) -> Cost:
    """Count 6 FLOPs a route and weight, and the bytes of x, logits, output and of the experts that the ids name."""
    _, topk_ids = route(router_logits(case), case.top_k, case.renormalize)
    routed = topk_ids[topk_ids >= 0]
    element = getattr(torch, case.dtype).itemsize
    weights = len(routed.unique()) * 3 * case.hidden * case.intermediate * element
    tokens = case.tokens * (2 * case.hidden * element + 4 * case.num_experts)
    return Cost(flops=6.0 * len(routed) * case.hidden * case.intermediate, bytes=float(weights + tokens))


def permute_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the tokens: the output's rows follow."""
    x, logits, w_gate_up, w_down = given.args
    order = torch.randperm(len(x), generator=generator).to(x.device)
    return _with(given, _laid_out_as(x, x[order]), logits[order], w_gate_up, w_down), lambda output: output[order]


def relabel_experts(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the experts, weights and logits together: nothing changes."""
    x, logits, w_gate_up, w_down = given.args
    order = torch.randperm(len(w_down), generator=generator).to(x.device)
    relabelled = (_laid_out_as(weights, weights[order]) for weights in (w_gate_up, w_down))
    return _with(given, x, logits[:, order], *relabelled), lambda output: output


def pad_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Append tokens that are routed nowhere and hold NaN: the rest does not change and theirs is 0."""
    x, logits, w_gate_up, w_down = given.args
    count = int(torch.randint(1, 18, (), generator=generator))
    padded_x = _laid_out_as(x, torch.cat((x, x.new_full((count, x.shape[1]), torch.nan))))
    padded_logits = torch.cat((logits, logits.new_full((count, logits.shape[1]), -torch.inf)))
    changed = _with(given, padded_x, padded_logits, w_gate_up, w_down)
    return changed, lambda output: torch.cat((output, output.new_zeros(count, output.shape[1])))


def replace_unrouted_experts(given: Inputs, generator: torch.Generator) -> Transformed:
    """Put other weights into the experts that no token chose: nothing changes (atomics need not add in one order)."""
    x, logits, w_gate_up, w_down = given.args
    _, topk_ids = route(logits, given.options["top_k"], given.options["renormalize"])
    experts = torch.arange(len(w_down), device=x.device)
    unrouted = ~torch.isin(experts, topk_ids)[:, None, None]
    replaced = (
        _laid_out_as(weights, weights.roll(1, dims=1).where(unrouted, weights)) for weights in (w_gate_up, w_down)
    )
    return _with(given, x, logits, *replaced), lambda output: output


def copy_one_expert(given: Inputs, generator: torch.Generator) -> Transformed:
    """Give all experts the weights of the first: a dense MLP times the sum of the token's weights."""
    x, logits, w_gate_up, w_down = given.args
    copies = (_laid_out_as(weights, weights[:1].expand_as(weights)) for weights in (w_gate_up, w_down))
    changed = _with(given, x, logits, *copies)
    topk_weights, topk_ids = route(logits.double(), given.options["top_k"], given.options["renormalize"])
    gate, up = (x.double() @ w_gate_up[0].double().T).chunk(2, dim=-1)
    dense = (silu(gate) * up) @ w_down[0].double().T * topk_weights.sum(dim=-1, keepdim=True)
    # Rows that are routed nowhere may hold NaN.
    expected = dense.where((topk_ids >= 0).any(dim=-1, keepdim=True), 0.0)
    return changed, lambda output: expected.to(output.dtype)


def _with(given: Inputs, *args: Tensor) -> Inputs:
    return Inputs(args, given.options)


def _laid_out_as(model: Tensor, tensor: Tensor) -> Tensor:
    """Copy a tensor into the model's order of dims and row padding, so that the layout is no second change."""
    if model.numel() == 0 or model.is_contiguous():
        return tensor.contiguous()
    if model.stride(-1) != 1:
        return tensor.mT.contiguous().mT
    *rows, width = tensor.shape
    buffer = tensor.new_full((*rows, model.stride(-2)), torch.nan)
    buffer[..., :width] = tensor
    return buffer[..., :width]


# Adding experts would change num_experts, which is static: an implementation may have been built for it.
RELATIONS = (
    Relation("permute_tokens", permute_tokens),
    Relation("relabel_experts", relabel_experts),
    Relation("pad_tokens", pad_tokens),
    Relation("replace_unrouted_experts", replace_unrouted_experts),
    Relation("copy_one_expert", copy_one_expert),
)


def _workload(tokens: Iterable[int], shares: tuple[float, ...], **fields: Any) -> Workload:
    return Workload(
        tuple(
            MoeCase(
                num_experts=len(shares),
                tokens=count,
                expert_tokens=apportion(shares, total=count * fields["top_k"], limit=count),
                seed=seed,
                **fields,
            )
            for seed, count in enumerate(tokens)
        )
    )


def _zipf(num_experts: int, exponent: float) -> tuple[float, ...]:
    return tuple((expert + 1.0) ** -exponent for expert in range(num_experts))


_MIXTRAL: dict[str, Any] = {"top_k": 2, "hidden": 4096, "intermediate": 14336, "dtype": "bfloat16"}
_QWEN3: dict[str, Any] = {"top_k": 8, "hidden": 2048, "intermediate": 768, "dtype": "bfloat16"}
WORKLOADS = {
    "decode": _workload((1, 2, 4, 7, 8), _zipf(4, 0.0), top_k=2, hidden=64, intermediate=96),
    "ragged": _workload((33, 16, 17, 48, 1, 0), _zipf(4, 1.2), top_k=2, hidden=48, intermediate=64),
    "many_experts": _workload((12, 24, 5), _zipf(16, 0.5), top_k=4, hidden=64, intermediate=32, dtype="bfloat16"),
    "one_expert": _workload((40, 32, 7), (0.0, 1.0, 0.0), top_k=1, hidden=33, intermediate=47, renormalize=False),
    # Published models, with gigabytes of weights: for a GPU.
    "serving_mixtral_decode": _workload((64, 32, 8, 1), _zipf(8, 0.5), **_MIXTRAL),
    "serving_mixtral_prefill": _workload((4096, 3001), _zipf(8, 0.5), **_MIXTRAL),
    "serving_qwen3_decode": _workload((64, 32, 8, 1), _zipf(128, 0.5), **_QWEN3),
    "serving_qwen3_prefill": _workload((8192, 5003), _zipf(128, 0.5), **_QWEN3),
}

OPERATOR = Operator(
    name="moe",
    case=MoeCase,
    inputs=inputs,
    reference=moe,
    cases=cases,
    workload_cases=workload_cases,
    workloads=WORKLOADS,
    implementations=IMPLEMENTATIONS,
    relations=RELATIONS,
    cost=cost,
    magnitude=magnitude,
    faults=_HERE / "faults" / "moe",
    corpus=_HERE / "corpus" / "moe.yaml",
)
