"""The page of `moe_gradients`: a mixture of experts and the gradients of tokens, experts' weights and router."""

import functools
from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from torch import Tensor

from eagerdiff import Cost, Drawing, Extras, Inputs, Judging, Operator, Relation, Showing
from eagerdiff.compiled.moe_gradients import IMPLEMENTATIONS
from eagerdiff.reference.moe_gradients import magnitude, moe_gradients
from eagerdiff.strategies.cases.moe_gradients import MoeGradientsCase
from eagerdiff.strategies.layouts import laid_out_as
from eagerdiff.strategies.moe_gradients import cases, inputs, workload_cases
from eagerdiff.suites import moe
from eagerdiff.suites.moe import QWEN3, batches
from eagerdiff.suites.moe_routing import shuffle_in_groups

Named = Mapping[str, Tensor]
Transformed = tuple[Inputs, Callable[[Named], Named]]
_HERE = Path(__file__).parent
_OF_TOKENS = ("output", "x", "router_logits")
_BIASES = ("gate_up_bias", "down_bias")
_OF_EXPERTS = ("w_gate_up", "w_down", *_BIASES)


def cost(case: MoeGradientsCase) -> Cost:
    """Count thrice the FLOPs of the mixture, and its bytes read once more and written as gradients."""
    forward = moe.cost(case)
    return Cost(flops=3 * forward.flops, bytes=3 * forward.bytes)


def permute_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the tokens: their outputs and gradients follow, those of weights stay."""
    x, logits, w_gate_up, w_down, grad_output = given.args
    order = torch.randperm(len(x), generator=generator).to(x.device)
    changed = (laid_out_as(x, x[order]), logits[order], w_gate_up, w_down, grad_output[order])
    return Inputs(changed, given.options), _changing(_OF_TOKENS, lambda value: value[order])


def relabel_experts(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the experts within their groups: gradients of their weights and logits follow, those of x stay."""
    x, logits, w_gate_up, w_down, grad_output = given.args
    options = dict(given.options)
    if "expert_map" in options:
        return given, lambda output: output
    order = shuffle_in_groups(logits.shape[1], options.get("num_groups", 1), generator).to(x.device)
    for name in {*_BIASES, "selection_bias"} & set(options):
        options[name] = options[name][order]
    weights = (laid_out_as(weight, weight[order]) for weight in (w_gate_up, w_down))
    of_experts = _changing(_OF_EXPERTS, lambda value: value[order])
    of_logits = _changing(("router_logits",), lambda value: value[:, order])
    return Inputs((x, logits[:, order], *weights, grad_output), options), lambda output: of_logits(of_experts(output))


def halve_gradient(given: Inputs, generator: torch.Generator) -> Transformed:
    """Halve the output's gradient: all gradients are halved, the output stays."""
    *args, grad_output = given.args
    return Inputs((*args, grad_output / 2), given.options), lambda output: {
        name: value if name == "output" else value / 2 for name, value in output.items()
    }


def _changing(names: tuple[str, ...], change: Callable[[Tensor], Tensor]) -> Callable[[Named], Named]:
    return lambda output: {name: change(value) if name in names else value for name, value in output.items()}


def source(case: MoeGradientsCase) -> str:
    """Return the three modules of the reference as one: scripts have no import of this project."""
    text = (_HERE.parent / "reference" / "moe_gradients.py").read_text(encoding="utf-8")
    text = text.replace("from eagerdiff.reference import moe\n", "").replace("moe.moe(", "moe(")
    text = text.split("def magnitude(")[0]
    return f"{moe.source(case)}\n{text}\nreference = moe_gradients\n"


RELATIONS = (
    Relation("permute_tokens", permute_tokens),
    Relation("relabel_experts", relabel_experts),
    Relation("halve_gradient", halve_gradient),
)


_batches = functools.partial(batches, case=MoeGradientsCase)
WORKLOADS = {
    "ragged": _batches((33, 16, 17, 1, 0), (8.0, 4.0, 2.0, 1.0), top_k=2, hidden=48, intermediate=64),
    "one_expert": _batches((40, 7), (0.0, 1.0, 0.0), top_k=1, hidden=33, intermediate=47, renormalize=False),
    "plain_experts": _batches(
        (17, 33),
        (1.0, 0.0, 3.0, 2.0),
        top_k=2,
        hidden=64,
        intermediate=96,
        activation="relu2",
        expert_bias=True,
        shared_intermediate=32,
        weight_first=True,
        dtype="float16",
    ),
    # A published model's layer, with gigabytes of weights: for a GPU.
    "serving_qwen3_training": _batches((8192, 5003), (1.0,) * 128, **QWEN3),
}

OPERATOR = Operator(
    name="moe_gradients",
    case=MoeGradientsCase,
    inputs=inputs,
    reference=moe_gradients,
    cases=cases,
    workloads=WORKLOADS,
    implementations=IMPLEMENTATIONS,
    cost=cost,
    drawing=Drawing(workload_cases=workload_cases),
    judging=Judging(relations=RELATIONS, magnitude=magnitude, accumulates="float32"),
    showing=Showing(source=source),
    extras=Extras(
        corpus=_HERE / "corpus" / "moe_gradients.yaml",
        faults=_HERE / "faults" / "moe_gradients",
        compile_weight=5,
    ),
)
