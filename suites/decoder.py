"""The page of `decoder`: a small DeepSeek-V3-shaped model that serves a trace, all pieces together."""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Cost, Drawing, Extras, Inputs, Judging, Operator, Relation, Workload
from eagerdiff.compiled.decoder import IMPLEMENTATIONS
from eagerdiff.reference.decoder import decoder
from eagerdiff.strategies.cases.decoder import DecoderCase
from eagerdiff.strategies.decoder import Pass, cases, cases_like, inputs, passes

Transformed = tuple[Inputs, Callable[[Any], Any]]
SLACK = 2.0**-13
"""How far below the best a choice may lie: 27 times the most that rounding to float32 moved a logit in 150 drawn traces
(4.5e-6, of logits up to 8.6)."""


def calls(case: DecoderCase) -> list[Inputs]:
    """Return what each pass of a trace hands to the compiled model, but for what is marked as never changing."""
    return [Inputs((None, None, *_arguments(one))) for one in passes(case)]


def _arguments(one: Pass) -> list[Tensor]:
    tokens, requests = sum(one.counts), len(one.requests)
    long, short = functools.partial(torch.empty, dtype=torch.int64), functools.partial(torch.empty, dtype=torch.int32)
    by_request = [short(requests, one.columns), short(requests), short(requests + 1)]
    return [*(long(tokens) for _ in range(4)), *by_request]


def break_ties(given: Inputs, output: Any) -> Inputs | None:
    """Let the reference prefer the tokens, experts and exits that an output chose, where rounding may have."""
    tokens, passed = output
    known = [(logits, routes.clamp(-1, given_experts(given) - 1), exits) for logits, routes, exits in passed]
    return dataclasses.replace(given, options={**given.options, "preferred": (tokens, known), "slack": SLACK})


def given_experts(given: Inputs) -> int:
    """Return how many experts a layer has."""
    routers = [len(layer["router"]) for layer in given.args[0]["layers"] if "router" in layer]
    return routers[0] if routers else 1


def cost(case: DecoderCase) -> Cost:
    """Count two FLOPs a weight and token; bytes of the weights once a pass, and of the cache that is read."""
    tokens = [sum(one.counts) for one in passes(case)]
    columns = case.nope + case.rope
    cached = case.latent + case.rope
    attention = case.hidden * (case.heads * (columns + case.value_dim) + cached)
    up = case.heads * case.latent * (case.nope + case.value_dim)
    expert = 3 * case.hidden * case.intermediate
    mixed = expert * (case.top_k + 1) + case.hidden * case.experts
    used = case.layers * (attention + up) + case.dense_layers * expert + (case.layers - case.dense_layers) * mixed
    used += case.hidden * case.vocabulary
    read = sum(len(blocks) for one in passes(case) for blocks in one.blocks) * case.block_size * cached * case.layers
    return Cost(flops=2.0 * used * sum(tokens), bytes=4.0 * (used * len(tokens) + read))


def reorder_requests(given: Inputs, generator: torch.Generator) -> Transformed:
    """Permute the requests of each pass: their rows follow."""
    orders = [torch.randperm(len(step[1]), generator=generator).tolist() for step in given.args[3]]
    return _with_requests(given, orders)


def leave_alone(given: Inputs, generator: torch.Generator) -> Transformed:
    """Serve one request alone: its rows and its tokens do not depend on the others."""
    count = len(given.args[2])
    if not count:
        return given, lambda output: output
    alone = int(torch.randint(count, (), generator=generator))
    return _with_requests(given, [[row for row, name in enumerate(step[1]) if name == alone] for step in given.args[3]])


def permute_blocks(given: Inputs, generator: torch.Generator) -> Transformed:
    """Rename the physical blocks."""
    weights, cache, prompts, steps, draft_table = given.args
    blocks = len(cache[0])
    home = torch.randperm(blocks, generator=generator).to(draft_table.device)

    def rename(table: Tensor) -> Tensor:
        valid = (table >= 0) & (table < blocks)
        return torch.where(valid, home[table.where(valid, 0).long()].to(table.dtype), table)

    renamed = [(*step[:3], rename(step[3])) for step in steps]
    moved = [kept[home.argsort()] for kept in cache]
    return Inputs((weights, moved, prompts, renamed, draft_table), given.options), lambda output: output


def _with_requests(given: Inputs, orders: Sequence[list[int]]) -> Transformed:
    """Keep some requests of each pass, in an order, and what is theirs of the output."""
    weights, cache, prompts, steps, draft_table = given.args
    kept: list[tuple[Any, ...]] = []
    rows: list[list[int] | None] = []
    lost: list[int] = []
    for (preempted, names, counts, table), order in zip(steps, orders, strict=True):
        lost += preempted
        starts = [sum(counts[:row]) for row in range(len(counts))]
        picked = [start for row in order for start in range(starts[row], starts[row] + counts[row])]
        rows.append(picked if order else None)
        if order:
            chosen = tuple(names[row] for row in order)
            kept.append((tuple(lost), chosen, tuple(counts[row] for row in order), table[order]))
            lost = []
    fed = {name for _, names, _, _ in kept for name in names}
    width = max((len(prompt) for prompt in prompts), default=0) + sum(sum(counts) for _, _, counts, _ in kept)

    def follow(output: Any) -> Any:
        tokens, passed = output
        unfed = [_padded(prompt, width) for prompt in prompts]
        wanted = [tokens[name, :width] if name in fed else row for name, row in enumerate(unfed)]
        picked = [(one, index) for one, index in zip(passed, rows, strict=True) if index is not None]
        return torch.stack(wanted) if wanted else tokens, [
            (logits[index], routes[:, index], exits[index]) for (logits, routes, exits), index in picked
        ]

    return Inputs((weights, cache, prompts, kept, draft_table), given.options), follow


def _padded(prompt: Tensor, width: int) -> Tensor:
    return torch.nn.functional.pad(prompt, (0, width - len(prompt)), value=-1)


RELATIONS = (
    Relation("requests reordered", reorder_requests),
    Relation("request alone", leave_alone),
    Relation("physical blocks permuted", permute_blocks, exact=True),
)

_CONTINUOUS = ((5, 3, 0, 0), (7, 3, 0, 0), (0, 16, 0, 0), (3, 16, 0, 2), (0, 4, 0, 1), (0, 4, 0, 0))
_SPECULATIVE = ((4, 16, 3, 0), (6, 4, 3, 0), (0, 16, 3, 0), (0, 16, 1, 4), (0, 16, 3, 0))


def _workload(*traces: Any, **fields: Any) -> Workload:
    return Workload(tuple(DecoderCase(steps=steps, seed=seed, **fields) for seed, steps in enumerate(traces)))


_SMALL: dict[str, Any] = {"layers": 2, "dense_layers": 1, "experts": 8, "num_groups": 4, "kept_groups": 2, "top_k": 3}
WORKLOADS = {
    "continuous_batching": _workload(_CONTINUOUS, _CONTINUOUS[::-1], **_SMALL),
    "speculative": _workload(_SPECULATIVE, _CONTINUOUS, **_SMALL, certainty=4.0),
    "early_exit": _workload(_SPECULATIVE, _CONTINUOUS, **_SMALL, certainty=2.0, exit_margin=2.0),
}

OPERATOR = Operator(
    name="decoder",
    case=DecoderCase,
    inputs=inputs,
    reference=decoder,
    cases=cases,
    workloads=WORKLOADS,
    implementations=IMPLEMENTATIONS,
    cost=cost,
    mutates=("cache",),
    drawing=Drawing(workload_cases=cases_like),
    judging=Judging(
        relations=RELATIONS,
        break_ties=break_ties,
        calls=calls,
    ),
    extras=Extras(
        faults=Path(__file__).parent / "faults" / "decoder",
        corpus=Path(__file__).parent / "corpus" / "decoder.yaml",
        compile_weight=9,
    ),
)
