"""Experts spread over ranks: what is drawn, what is right, what must hold, what ships."""

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Cost, Drawing, Extras, Inputs, Judging, Operator, Relation, Workload
from eagerdiff.compiled.expert_parallel import IMPLEMENTATIONS
from eagerdiff.reference.expert_parallel import expert_parallel, magnitude
from eagerdiff.strategies.cases.expert_parallel import ExpertParallelCase
from eagerdiff.strategies.expert_parallel import cases, inputs, workload_cases
from eagerdiff.strategies.moe import apportion

Transformed = tuple[Inputs, Callable[[list[Tensor]], list[Tensor]]]


def cost(case: ExpertParallelCase) -> Cost:
    """Count 6 FLOPs a route and weight; bytes of tokens, outputs, active experts, and rows that travel twice."""
    element = getattr(torch, case.dtype).itemsize
    routes, active = sum(case.expert_tokens), sum(count > 0 for count in case.expert_tokens)
    weights = active * 3 * case.hidden * case.intermediate
    rows = 2 * sum(case.tokens_per_rank) + 2 * routes
    flops = 6.0 * routes * case.hidden * case.intermediate
    return Cost(flops=flops, bytes=float((weights + rows * case.hidden) * element))


def permute_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute each rank's tokens: its output's rows follow."""
    counts = given.options["tokens_per_rank"]
    starts = [0, *accumulate(counts)]
    orders = [torch.randperm(count, generator=generator) for count in counts]
    order = torch.cat([start + mine for start, mine in zip(starts, orders, strict=False)])
    return _with_tokens(given, order, counts), lambda outputs: [
        output[mine.to(output.device)] for output, mine in zip(outputs, orders, strict=True)
    ]


def move_tokens(given: Inputs, generator: torch.Generator) -> Transformed:
    """Give tokens to other ranks, among those that hold any: their rows move with them."""
    counts = list(given.options["tokens_per_rank"])
    holders = [rank for rank, count in enumerate(counts) if count]
    order = torch.randperm(sum(counts), generator=generator)
    homes = torch.randint(max(1, len(holders)), (sum(counts),), generator=generator)
    moved = [0] * len(counts)
    for index, rank in enumerate(holders):
        moved[rank] = int((homes == index).sum())
    return _with_tokens(given, order, tuple(moved)), lambda outputs: list(
        torch.cat(outputs)[order.to(outputs[0].device)].split(moved)
    )


def relabel_experts(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the experts, weights and ids together, so that they move between ranks: nothing changes."""
    x, topk_ids, topk_weights, w_gate_up, w_down = given.args
    order = torch.randperm(len(w_down), generator=generator).to(x.device)
    labels = torch.cat((order.argsort(), order.new_full((1,), -1)))  # an id of -1 stays
    return Inputs((x, labels[topk_ids], topk_weights, w_gate_up[order], w_down[order]), given.options), _same


def reorder_routes(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the slots of each token's routes: nothing changes."""
    x, topk_ids, topk_weights, *weights = given.args
    order = torch.rand(topk_ids.shape, generator=generator).argsort(dim=1).to(x.device)
    return Inputs((x, topk_ids.gather(1, order), topk_weights.gather(1, order), *weights), given.options), _same


def _same(outputs: Any) -> Any:
    return outputs


def _with_tokens(given: Inputs, order: Tensor, tokens_per_rank: Any) -> Inputs:
    *tokens, w_gate_up, w_down = given.args
    ordered = (tensor[order.to(tensor.device)] for tensor in tokens)
    return Inputs((*ordered, w_gate_up, w_down), {**given.options, "tokens_per_rank": tokens_per_rank})


# Adding a rank would change the world size, which is static: an implementation may have been built for it.
RELATIONS = (
    Relation("permute_tokens", permute_tokens),
    Relation("move_tokens", move_tokens),
    Relation("relabel_experts", relabel_experts),
    Relation("reorder_routes", reorder_routes),
)


def _workload(experts_per_rank: tuple[int, ...], *tokens_per_rank: tuple[int, ...], **fields: Any) -> Workload:
    load = [1.0 / (expert + 1) for expert in range(sum(experts_per_rank))]
    return Workload(
        tuple(
            ExpertParallelCase(
                experts_per_rank=experts_per_rank,
                tokens_per_rank=tokens,
                expert_tokens=apportion(load, total=sum(tokens) * fields["top_k"], limit=sum(tokens)),
                seed=seed,
                **fields,
            )
            for seed, tokens in enumerate(tokens_per_rank)
        )
    )


WORKLOADS = {
    "two_ranks": _workload((2, 2), (5, 3), (16, 0), (1, 33), top_k=2, hidden=32, intermediate=48),
    "uneven": _workload((3, 0, 1, 2), (5, 9, 0, 2), (0, 0, 7, 1), top_k=2, hidden=16, intermediate=24),
    "disaggregated": _workload((0, 0, 2, 2), (9, 4, 0, 0), (1, 0, 0, 0), top_k=2, hidden=16, attention_ranks=2),
    # DeepSeek-V3's widths, a layer's experts over eight GPUs.
    "serving_eight_gpus": _workload(
        (32,) * 8, (512,) * 8, (513, 0, 300, 1, 512, 511, 64, 16),
        top_k=8, hidden=7168, intermediate=2048, dtype="bfloat16",
    ),
}  # fmt: skip

OPERATOR = Operator(
    name="expert_parallel",
    case=ExpertParallelCase,
    inputs=inputs,
    reference=expert_parallel,
    cases=cases,
    workloads=WORKLOADS,
    implementations=IMPLEMENTATIONS,
    cost=cost,
    drawing=Drawing(workload_cases=workload_cases),
    judging=Judging(relations=RELATIONS, magnitude=magnitude),
    extras=Extras(
        corpus=Path(__file__).parent / "corpus" / "expert_parallel.yaml",
        faults=Path(__file__).parent / "faults" / "expert_parallel",
        compile_weight=4,
    ),
)
