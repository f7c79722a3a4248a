"""The page of `moe_permute`: routes sorted by expert and cut into blocks, tokens' rows moved behind them and back."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Cost, Drawing, Extras, Inputs, Judging, Operator, Relation, Workload
from eagerdiff.compiled.moe_permute import IMPLEMENTATIONS
from eagerdiff.reference.moe_permute import cut_blocks, moe_permute
from eagerdiff.strategies.cases.moe_permute import MoePermuteCase
from eagerdiff.strategies.moe_permute import cases, cases_like, inputs

Transformed = tuple[Inputs, Callable[[Any], Any]]
_FAR = 1 << 20
"""Elements between rows that are not worth a second buffer."""


def cost(case: MoePermuteCase) -> Cost:
    """Count the bytes of the rows that move there and back, and of the ids; two operations an element."""
    routes, element = case.tokens * case.top_k, getattr(torch, case.dtype).itemsize
    rows = (2 * sum(case.expert_tokens) + routes + 2 * case.tokens) * case.hidden * element
    return Cost(flops=2.0 * sum(case.expert_tokens) * case.hidden, bytes=float(rows + routes * (8 + 4 + 8)))


def permute_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the tokens: blocks stay, each expert's routes are the same ones, in the new order."""
    x, topk_ids, topk_weights = given.args
    order = torch.randperm(len(x), generator=generator).to(x.device)
    top_k, place = topk_ids.shape[1], order.argsort()

    def expected(output: Any) -> Any:
        sorted_routes, offsets, *blocks, permuted, combined = output
        routes = place[sorted_routes // top_k] * top_k + sorted_routes % top_k
        rank = _within_runs(offsets, routes)
        return routes[rank], offsets, *blocks, permuted[rank], combined[order]

    return Inputs((_like(x, x[order]), topk_ids[order], topk_weights[order]), given.options), expected


def relabel_experts(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the experts: their runs change places, rows and all, and no token's sum changes."""
    x, topk_ids, topk_weights = given.args
    num_experts, block_m = given.options["num_experts"], given.options["block_m"]
    label = torch.randperm(num_experts, generator=generator).to(x.device)
    here = (topk_ids >= 0) & (topk_ids < num_experts)
    relabelled = label[topk_ids.clamp(0, num_experts - 1)].where(here, topk_ids)

    def expected(output: Any) -> Any:
        sorted_routes, offsets, _, _, permuted, combined = output
        tokens = torch.zeros_like(offsets[1:]).scatter(0, label, offsets.diff())
        changed = torch.nn.functional.pad(tokens.cumsum(dim=0), (1, 0))
        rank = torch.cat((label, label.new_full((1,), num_experts)))[_runs(offsets, sorted_routes)].argsort(stable=True)
        blocks = cut_blocks(changed, len(sorted_routes), block_m)
        return sorted_routes[rank], changed, *blocks, permuted[rank], combined

    return Inputs((x, relabelled, topk_weights), given.options), expected


def append_padding(given: Inputs, generator: torch.Generator) -> Transformed:
    """Append tokens that hold NaN and are routed nowhere: their routes come last, and their rows are 0."""
    x, topk_ids, topk_weights = given.args
    more = int(torch.randint(1, 20, (), generator=generator))
    if not _compact(x):
        return given, lambda output: output
    nowhere, nothing = topk_ids.new_full((more, topk_ids.shape[1]), -1), x.new_full((more, x.shape[1]), torch.nan)
    weightless = topk_weights.new_full(nowhere.shape, torch.nan)
    args = (
        _like(x, torch.cat((x, nothing))),
        torch.cat((topk_ids, nowhere)),
        torch.cat((topk_weights, weightless)),
    )
    num_routes = args[1].numel()

    def expected(output: Any) -> Any:
        sorted_routes, offsets, _, _, permuted, combined = output
        appended = torch.arange(len(sorted_routes), num_routes, device=x.device)
        return (
            torch.cat((sorted_routes, appended)),
            offsets,
            *cut_blocks(offsets, num_routes, given.options["block_m"]),
            torch.cat((permuted, permuted.new_zeros(len(appended), permuted.shape[1]))),
            torch.cat((combined, combined.new_zeros(more, combined.shape[1]))),
        )

    return Inputs(args, given.options), expected


def change_blocks(given: Inputs, generator: torch.Generator) -> Transformed:
    """Take another size of blocks: nothing changes but the blocks."""
    sizes = (1, 4, 16, 32, 128)
    block_m = sizes[int(torch.randint(len(sizes), (), generator=generator))]

    def expected(output: Any) -> Any:
        sorted_routes, offsets, _, _, *rows = output
        return sorted_routes, offsets, *cut_blocks(offsets, len(sorted_routes), block_m), *rows

    return Inputs(given.args, {**given.options, "block_m": block_m}), expected


def _runs(offsets: Tensor, sorted_routes: Tensor) -> Tensor:
    """Return each place's expert [R], E past the last."""
    places = torch.arange(len(sorted_routes), device=offsets.device)
    return torch.searchsorted(offsets[1:].contiguous(), places, right=True)


def _within_runs(offsets: Tensor, routes: Tensor) -> Tensor:
    """Return the order [R] in which each expert's routes, [R], rise."""
    return (_runs(offsets, routes) * (len(routes) + 1) + routes).argsort()


def _compact(x: Tensor) -> bool:
    return len(x) == 0 or x.stride(0) < _FAR


def _like(model: Tensor, tensor: Tensor) -> Tensor:
    """Copy a tensor into the model's order of dims, so that the layout is no second change."""
    if len(model) and model.stride(1) != 1 and _compact(model):
        return tensor.T.contiguous().T
    return tensor.contiguous()


RELATIONS = (
    Relation("permute_tokens", permute_tokens),
    Relation("relabel_experts", relabel_experts),
    Relation("append_padding", append_padding),
    Relation("change_blocks", change_blocks),
)
_DEEPSEEK: dict[str, Any] = {"num_experts": 256, "top_k": 8, "hidden": 64}
_MIXTRAL: dict[str, Any] = {"num_experts": 8, "top_k": 2, "hidden": 64}


def _workload(*tokens: int, num_experts: int, top_k: int, **fields: Any) -> Workload:
    """Return calls with all routes here, the experts' shares falling in halves to one in sixteen."""

    def counts(routes: int) -> tuple[int, ...]:
        shares = [2.0 ** -(expert % 5) for expert in range(num_experts)]
        ends = [round(routes * sum(shares[:end]) / sum(shares)) for end in range(num_experts + 1)]
        return tuple(end - start for start, end in itertools.pairwise(ends))

    fields |= {"num_experts": num_experts, "top_k": top_k}
    return Workload(
        tuple(
            MoePermuteCase(tokens=count, expert_tokens=counts(count * top_k), seed=seed, **fields)
            for seed, count in enumerate(tokens)
        )
    )


WORKLOADS = {
    "mixtral": _workload(1, 2, 17, 70, 0, **_MIXTRAL),
    "deepseek": _workload(1, 2, 9, **_DEEPSEEK),
    # Sized for a GPU.
    "serving_deepseek": _workload(4096, 3001, dtype="bfloat16", block_m=64, **{**_DEEPSEEK, "hidden": 7168}),
}

OPERATOR = Operator(
    name="moe_permute",
    case=MoePermuteCase,
    inputs=inputs,
    reference=moe_permute,
    cases=cases,
    workloads=WORKLOADS,
    implementations=IMPLEMENTATIONS,
    cost=cost,
    drawing=Drawing(workload_cases=cases_like),
    judging=Judging(relations=RELATIONS),
    extras=Extras(
        corpus=Path(__file__).parent / "corpus" / "moe_permute.yaml",
        faults=Path(__file__).parent / "faults" / "moe_permute",
        compile_weight=3,
    ),
)
