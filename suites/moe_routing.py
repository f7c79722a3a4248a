"""The page of `moe_routing`: which experts each token goes to, with what weights, and how many each expert gets."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from eagerdiff import (
    Cost,
    Drawing,
    Extras,
    Implementation,
    Inputs,
    Judging,
    Operator,
    Relation,
    Workload,
    expected_compiles,
    signature,
)
from eagerdiff.compiled.adapters import moe_routing as adapters
from eagerdiff.compiled.moe_routing import IMPLEMENTATIONS
from eagerdiff.reference.moe_routing import moe_routing
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase
from eagerdiff.strategies.moe_routing import cases, cases_like, inputs
from eagerdiff.suites.baseline_suites.moe_routing import GRIDS

Transformed = tuple[Inputs, Callable[[Any], Any]]


def limited(implementation: Implementation[MoeRoutingCase]) -> Implementation[MoeRoutingCase]:
    """Allow a graph of its own where one expert is local: the counts then have a size of 1, a constant."""
    mode = implementation.mode
    if mode is None:
        return implementation

    def max_compiles(workload: Workload[MoeRoutingCase]) -> int:
        alone = {case.local and case.local_experts == 1 for case in workload.cases}
        return expected_compiles(mode, [signature(inputs(case, "cpu")) for case in workload.cases]).high * len(alone)

    return dataclasses.replace(implementation, max_compiles=max_compiles)


def cost(case: MoeRoutingCase) -> Cost:
    """Count the bytes of the logits, the weights and the ids, and an operation a logit."""
    logits = case.tokens * case.num_experts
    return Cost(flops=float(logits), bytes=float(4 * logits + case.tokens * case.top_k * (4 + 8)))


def break_ties(given: Inputs, output: Any) -> Inputs | None:
    """Let the reference prefer the experts that an output chose; not where ids are lost: there are no ties there."""
    lost = "expert_map" in given.options or ("capacity" in given.options and not given.options.get("expert_choice"))
    return None if lost else dataclasses.replace(given, options={**given.options, "preferred": output[1]})


def permute_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the tokens: their rows follow, the counts stay; not where an expert takes the first ones."""
    (logits,) = given.args
    options = dict(given.options)
    if "capacity" in options:
        return given, lambda output: output
    order = torch.randperm(len(logits), generator=generator).to(logits.device)
    if "token_ids" in options:
        options["token_ids"] = options["token_ids"][order]
    return Inputs((logits[order],), options), lambda output: (output[0][order], output[1][order], output[2])


def shuffle_in_groups(num_experts: int, num_groups: int, generator: torch.Generator) -> torch.Tensor:
    """Return an order of the experts [E] in which each stays in its group."""
    size = num_experts // num_groups
    within = torch.rand(num_groups, size, generator=generator).argsort(dim=1)
    return (within + torch.arange(0, num_experts, size)[:, None]).flatten()


def relabel_experts(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the experts within their groups: ids and counts follow; local ids stay as the map goes along."""
    (logits,), options = given.args, dict(given.options)
    if "hash_table" in options or "expert_choice" in options:
        return given, lambda output: output
    order = shuffle_in_groups(logits.shape[1], options["num_groups"], generator).to(logits.device)
    for name in ("selection_bias", "expert_map"):
        if name in options:
            options[name] = options[name][order]
    changed = Inputs((logits[:, order],), options)
    if "expert_map" in options:
        return changed, lambda output: output
    label = order.argsort()
    return changed, lambda output: (
        output[0],
        label[output[1].clamp_min(0)].where(output[1] >= 0, -1),
        output[2][order],
    )


def shift_logits(given: Inputs, generator: torch.Generator) -> Transformed:
    """Add a whole number to all logits of a token (where experts choose tokens, the same to all): nothing changes."""
    (logits,), options = given.args, given.options
    if options["scoring"] == "sigmoid" or bool((logits.nan_to_num(posinf=0, neginf=0).abs() > 16).any()):
        return given, lambda output: output
    # Logits that carry eight bits less than float32 take the shift without rounding.
    coarse = (logits * 2**12).round() / 2**12
    shift = torch.randint(-8, 9, (1 if "expert_choice" in options else len(logits), 1), generator=generator).to(logits)
    return Inputs((coarse + shift,), options), lambda output: _of(coarse, options)


def _of(logits: torch.Tensor, options: Any) -> Any:
    return moe_routing(logits, **options)


RELATIONS = (
    Relation("permute_tokens", permute_tokens),
    Relation("relabel_experts", relabel_experts),
    Relation("shift_logits", shift_logits),
)
_DEEPSEEK: dict[str, Any] = {
    "num_experts": 256,
    "top_k": 8,
    "scoring": "sigmoid",
    "biased": True,
    "num_groups": 8,
    "kept_groups": 4,
    "scaling": 2.5,
}
_MIXTRAL: dict[str, Any] = {"num_experts": 8, "top_k": 2}


def _workload(*tokens: int, **fields: Any) -> Workload:
    return Workload(tuple(MoeRoutingCase(tokens=count, seed=seed, **fields) for seed, count in enumerate(tokens)))


WORKLOADS = {
    "mixtral": _workload(1, 2, 17, 33, 0, **_MIXTRAL),
    "deepseek": _workload(1, 2, 9, **_DEEPSEEK),
    "capacity": _workload(33, 16, 5, limited=True, capacity=3, **_MIXTRAL),
    # Sized for a GPU.
    "serving_deepseek": _workload(4096, 3001, **_DEEPSEEK),
}

OPERATOR = Operator(
    name="moe_routing",
    case=MoeRoutingCase,
    inputs=inputs,
    reference=moe_routing,
    cases=cases,
    workloads=WORKLOADS,
    implementations=[limited(implementation) for implementation in (*IMPLEMENTATIONS, *adapters.IMPLEMENTATIONS)],
    cost=cost,
    drawing=Drawing(workload_cases=cases_like),
    judging=Judging(relations=RELATIONS, break_ties=break_ties),
    extras=Extras(
        corpus=Path(__file__).parent / "corpus" / "moe_routing.yaml",
        faults=Path(__file__).parent / "faults" / "moe_routing",
        baseline_suites=GRIDS,
        compile_weight=2.5,
    ),
)
