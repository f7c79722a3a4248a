"""The page of `moe`: top-k routing, gated or plain experts, weighted combine."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Cost, Drawing, Extras, Inputs, Judging, Operator, Relation, Showing, Workload
from eagerdiff.compiled.adapters import moe as adapters
from eagerdiff.compiled.moe import IMPLEMENTATIONS
from eagerdiff.reference.moe import choose_experts, magnitude, moe, route
from eagerdiff.reference.moe_copies import moe_of_copies
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.layouts import laid_out_as
from eagerdiff.strategies.moe import COVERING, apportion, cases, inputs, router_logits, routing, workload_cases
from eagerdiff.suites.baseline_suites.moe import GRIDS
from eagerdiff.suites.moe_exports import EXPORTS
from eagerdiff.suites.moe_metrics import metrics
from eagerdiff.suites.moe_routing import shuffle_in_groups

Transformed = tuple[Inputs, Callable[[Tensor], Tensor]]
_HERE = Path(__file__).parent
_OF_TOKENS = ("x_scale",)
_OF_EXPERTS = ("gate_up_bias", "down_bias", "gate_up_scale", "down_scale")
_OF_CHOICES = ("selection_bias", "expert_map")
_BITS = {"as_x": 0, "float8_e4m3fn": 8, "int4": 4}


def cost(case: MoeCase) -> Cost:
    """Count 2 FLOPs a route and weight, and the bytes of x, logits, output and of the experts that the ids name."""
    _, topk_ids = route(router_logits(case), **routing(case))
    routed = topk_ids[topk_ids >= 0]
    element = getattr(torch, case.dtype).itemsize
    of_one = case.hidden * (case.gate_up + case.intermediate)
    shared = case.hidden * (case.gate_up // case.intermediate + 1) * case.shared_intermediate
    weights = len(routed.unique()) * of_one * (_BITS[case.weight_dtype] / 8 or element) + shared * element
    tokens = case.tokens * (2 * case.hidden * element + 4 * case.num_experts)
    return Cost(flops=2.0 * (len(routed) * of_one + case.tokens * shared), bytes=float(weights + tokens))


def permute_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the tokens: the output's rows follow."""
    return _pick(given, torch.randperm(len(given.args[0]), generator=generator))


def leave_token_alone(given: Inputs, generator: torch.Generator) -> Transformed:
    """Keep one token of the batch."""
    count = len(given.args[0])
    return _pick(given, torch.randint(max(1, count), (min(1, count),), generator=generator))


def enlarge_batch(given: Inputs, generator: torch.Generator) -> Transformed:
    """Put the tokens into a larger batch, behind and before copies of some."""
    count = len(given.args[0])
    others = torch.randint(max(1, count), (2, 24 * min(1, count)), generator=generator)
    return _pick(given, torch.cat((others[0], torch.arange(count), others[1])))


def take_chunk(given: Inputs, generator: torch.Generator) -> Transformed:
    """Keep some neighbours among the tokens: a chunk of the batch."""
    start, end = sorted(torch.randint(len(given.args[0]) + 1, (2,), generator=generator).tolist())
    return _pick(given, torch.arange(start, end))


def _pick(given: Inputs, tokens: Tensor) -> Transformed:
    """Return the call of some tokens, by number, and their rows of the output."""
    x, logits, w_gate_up, w_down = given.args
    tokens = tokens.to(x.device)
    changed = _with(given, laid_out_as(x, x[tokens]), logits[tokens], w_gate_up, w_down)
    return _indexed(changed, _OF_TOKENS, tokens), lambda output: output[tokens]


def relabel_experts(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the experts, in their groups, weights and logits together: nothing changes.

    Where some are elsewhere the map is permuted, and the weights stay.
    """
    x, logits, w_gate_up, w_down = given.args
    order = shuffle_in_groups(logits.shape[1], given.options.get("num_groups", 1), generator).to(x.device)
    changed = _indexed(_with(given, x, logits[:, order], w_gate_up, w_down), _OF_CHOICES, order)
    if "expert_map" in given.options:
        return changed, lambda output: output
    relabelled = (laid_out_as(weights, weights[order]) for weights in (w_gate_up, w_down))
    return _indexed(_with(changed, x, logits[:, order], *relabelled), _OF_EXPERTS, order), lambda output: output


def pad_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Append tokens that are routed nowhere and hold NaN (0 for a shared expert): the rest stays and theirs is 0."""
    x, logits, w_gate_up, w_down = given.args
    count = int(torch.randint(1, 18, (), generator=generator))
    empty = 0.0 if "shared_down" in given.options else torch.nan
    rows = torch.full((count, x.shape[1]), empty, device=x.device).to(x.dtype)
    padded_x = laid_out_as(x, torch.cat((x, rows)))
    padded_logits = torch.cat((logits, logits.new_full((count, logits.shape[1]), -torch.inf)))
    options = dict(given.options)
    if "x_scale" in options:
        options["x_scale"] = torch.nn.functional.pad(options["x_scale"], (0, 0, 0, count), value=1.0)
    changed = Inputs((padded_x, padded_logits, w_gate_up, w_down), options)
    return changed, lambda output: torch.cat((output, output.new_zeros(count, output.shape[1])))


def replace_unrouted_experts(given: Inputs, generator: torch.Generator) -> Transformed:
    """Put other weights into the experts that no token chose: nothing changes (atomics need not add in one order)."""
    x, logits, w_gate_up, w_down = given.args
    unrouted = ~_routed(given)[:, None, None]
    replaced = (
        laid_out_as(weights, _where(unrouted, weights.roll(1, dims=1), weights)) for weights in (w_gate_up, w_down)
    )
    return _with(given, x, logits, *replaced), lambda output: output


def _routed(given: Inputs) -> Tensor:
    """Return which of the experts here [E] some token goes to, or could as well: it ties with one of its own."""
    logits, expert_map = given.args[1], given.options.get("expert_map")
    _, topk_ids = choose_experts(logits, **{**given.options, "expert_map": None})
    of_chosen = logits.gather(1, topk_ids.clamp_min(0)).where(topk_ids >= 0, torch.nan)
    routed = (logits[:, None] == of_chosen[..., None]).flatten(0, 1).any(dim=0)
    return routed if expert_map is None else routed[expert_map >= 0]


def _where(condition: Tensor, one: Tensor, other: Tensor) -> Tensor:
    """Choose bits: torch chooses among few dtypes' numbers."""
    if one.element_size() > 1:
        return one.where(condition, other)
    return one.view(torch.uint8).where(condition, other.view(torch.uint8)).view(one.dtype)


def copy_one_expert(given: Inputs, generator: torch.Generator) -> Transformed:
    """Give all experts the weights of the first: a dense MLP times the sum of the token's weights."""
    x, logits, w_gate_up, w_down = given.args
    options = dict(given.options)
    if options.get("weight_first"):
        return given, lambda output: output
    copies = (laid_out_as(weights, weights[:1].expand_as(weights)) for weights in (w_gate_up, w_down))
    options |= {
        name: options[name][:1].expand_as(options[name]).contiguous() for name in _OF_EXPERTS if name in options
    }
    expected = moe_of_copies(*given.args, **given.options)
    return Inputs((x, logits, *copies), options), lambda output: expected.to(output.dtype)


def _with(given: Inputs, *args: Tensor) -> Inputs:
    return Inputs(args, given.options)


def _indexed(given: Inputs, names: Iterable[str], order: Tensor) -> Inputs:
    """Return a call with the first dim of some options, where it has them, in another order."""
    found: Mapping[str, Tensor] = {name: given.options[name][order] for name in names if name in given.options}
    return Inputs(given.args, {**given.options, **found})


def source(case: MoeCase) -> str:
    """Return the routing's source and the mixture's, in one."""
    folder = _HERE.parent / "reference"
    right = (folder / "moe.py").read_text(encoding="utf-8")
    right = right.replace("from eagerdiff.reference.moe_routing import moe_routing\n", "")
    return (folder / "moe_routing.py").read_text(encoding="utf-8") + right + "\nreference = moe\n"


# Adding experts would change num_experts, which is static: an implementation may have been built for it.
RELATIONS = (
    Relation("permute_tokens", permute_tokens, of_batch=True),
    Relation("relabel_experts", relabel_experts),
    Relation("pad_tokens", pad_tokens, of_batch=True),
    Relation("leave_token_alone", leave_token_alone, of_batch=True, only_declared=True),
    Relation("enlarge_batch", enlarge_batch, of_batch=True, only_declared=True),
    Relation("take_chunk", take_chunk, of_batch=True, only_declared=True),
    Relation("replace_unrouted_experts", replace_unrouted_experts),
    Relation("copy_one_expert", copy_one_expert),
)


def batches(tokens: Iterable[int], shares: tuple[float, ...], case: type[MoeCase] = MoeCase, **fields: Any) -> Workload:
    """Return calls with one number of tokens after another, spread over as many experts as there are shares."""
    return Workload(
        tuple(
            case(
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
QWEN3: dict[str, Any] = {"top_k": 8, "hidden": 2048, "intermediate": 768, "dtype": "bfloat16"}
_FP8: dict[str, Any] = {"weight_dtype": "float8_e4m3fn", "quantised_x": True}
_DEEPSEEK: dict[str, Any] = {
    "top_k": 8,
    "hidden": 7168,
    "intermediate": 2048,
    "dtype": "bfloat16",
    "shared_intermediate": 2048,
    "scoring": "sigmoid",
    "scaling": 2.5,
    "num_groups": 8,
    "kept_groups": 4,
    "selection_bias": True,
}
WORKLOADS = {
    "decode": batches((1, 2, 4, 7, 8), _zipf(4, 0.0), top_k=2, hidden=64, intermediate=96),
    "ragged": batches((33, 16, 17, 48, 1, 0), _zipf(4, 1.2), top_k=2, hidden=48, intermediate=64),
    "many_experts": batches((12, 24, 5), _zipf(16, 0.5), top_k=4, hidden=64, intermediate=32, dtype="bfloat16"),
    "one_expert": batches((40, 32, 7), (0.0, 1.0, 0.0), top_k=1, hidden=33, intermediate=47, renormalize=False),
    "quantised": batches((33, 16, 5), _zipf(4, 0.5), top_k=2, hidden=160, intermediate=136, weight_dtype="int4"),
    "block_scaled": batches(
        (33, 16, 5), _zipf(4, 0.5), top_k=2, hidden=160, intermediate=136, **_FP8, dtype="bfloat16"
    ),
    "plain_experts": batches(
        (17, 33),
        _zipf(6, 0.5),
        top_k=2,
        hidden=64,
        intermediate=96,
        activation="relu2",
        expert_bias=True,
        shared_intermediate=32,
        scoring="sigmoid",
        weight_first=True,
        dtype="float16",
    ),
    # Published models, with gigabytes of weights: for a GPU. Of DeepSeek-V3 what one rank of four holds: all of it in
    # float64, for the judge, is more than one GPU's memory.
    "serving_mixtral_decode": batches((64, 32, 8, 1), _zipf(8, 0.5), **_MIXTRAL),
    "serving_mixtral_prefill": batches((4096, 3001), _zipf(8, 0.5), **_MIXTRAL),
    "serving_deepseek_decode": batches((64, 32, 8, 1), _zipf(256, 0.5), **_DEEPSEEK, experts_elsewhere=192),
    "serving_deepseek_prefill": batches((4096, 3001), _zipf(256, 0.5), **_DEEPSEEK, experts_elsewhere=192),
    "serving_qwen3_decode": batches((64, 32, 8, 1), _zipf(128, 0.5), **QWEN3),
    "serving_qwen3_prefill": batches((8192, 5003), _zipf(128, 0.5), **QWEN3),
}

OPERATOR = Operator(
    name="moe",
    case=MoeCase,
    inputs=inputs,
    reference=moe,
    cases=cases,
    workloads=WORKLOADS,
    implementations=(*IMPLEMENTATIONS, *EXPORTS, *adapters.IMPLEMENTATIONS),
    cost=cost,
    drawing=Drawing(workload_cases=workload_cases, covering=COVERING),
    judging=Judging(relations=RELATIONS, magnitude=magnitude, accumulates="float32"),
    showing=Showing(source=source),
    extras=Extras(
        faults=_HERE / "faults" / "moe",
        baseline_suites=GRIDS,
        metrics=metrics,
        corpus=_HERE / "corpus" / "moe.yaml",
        compile_weight=4,
    ),
)
