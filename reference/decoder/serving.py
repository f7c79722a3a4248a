"""Continuous batching of the decoder: requests are fed as a trace says, and go on with what they answer."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from eagerdiff.reference.decoder.model import Batch, Decisions, forward


@dataclass
class Request:
    """Hold one request."""

    tokens: list[int]
    """Prompt and answer."""
    computed: int = 0
    """Leading tokens whose keys are in the cache."""


def decoder(
    weights: Mapping[str, Any],
    cache: Sequence[Tensor],
    prompts: Sequence[Tensor],
    steps: Sequence[Sequence[Any]],
    draft_table: Tensor,
    *,
    preferred: tuple[Any, ...] | None = None,
    slack: float = 0.0,
    **model: Any,
) -> tuple[Tensor, list[tuple[Tensor, Tensor, Tensor]]]:
    """Decode requests greedily under continuous batching.

    weights: embed and head [V, H], norm [H], rope [positions, R] (cosines, then sines) and layers, each with
    attention_norm [H], query [A (N + R), H], kv [L + R, H], kv_norm [L], key_up [A, N, L], value_up [A, Dv, L],
    output [H, A Dv], mlp_norm [H], and either gate_up [2 I, H], down [H, I] or those of E experts with router [E, H],
    bias [E], shared_gate_up, shared_down. cache: one [num_blocks, block_size, 1, L + R] a layer, written in place.
    prompts: int64 [S], one a request. draft_table int64 [V]: the token that is guessed to follow each.

    A step is (preempted, requests, counts, block_table): `preempted` have lost their cache; then each of `requests` is
    fed `counts` tokens, its blocks in the row of block_table int32 [B, max_blocks]. Fed are the tokens that the cache
    does not hold; where these are fewer they are followed by drafts, each looked up from the one before. Where a
    request's last token was fed, its best next token is appended, and goes on being so while drafts are as it says.
    model: top_k, num_groups, kept_groups, scaling, exit_margin; see `forward`.

    Return all tokens of the requests, int64 [requests, longest], -1 behind the last, and for each step logits, routes
    and exits as `forward` does. `preferred` is such an output whose choices win where they are worse by no more than
    `slack`.
    """
    requests = [Request(prompt.tolist()) for prompt in prompts]
    drafts = draft_table.tolist()
    outputs: list[tuple[Tensor, Tensor, Tensor]] = []
    for index, (preempted, names, counts, block_table) in enumerate(steps):
        for name in preempted:
            requests[name].computed = 0
        fed = [feed(requests[name], count, drafts) for name, count in zip(names, counts, strict=True)]
        firsts = [requests[name].computed for name in names]
        batch = gather(fed, firsts, block_table, cache[0].shape[1])
        decisions = None
        if preferred is not None:
            _, wanted_routes, wanted_exits = preferred[1][index]
            decisions = Decisions(wanted_routes, wanted_exits, slack)
        logits, routes, exits = forward(weights, cache, batch, preferred=decisions, **model)
        outputs.append((logits, routes, exits))
        for name, tokens, rows in zip(names, fed, logits.split(counts), strict=True):
            wanted = None if preferred is None else preferred[0][name]
            answer(requests[name], tokens, rows, wanted, slack)
    widest = max((len(prompt) for prompt in prompts), default=0) + sum(sum(counts) for _, _, counts, _ in steps)
    rows = [request.tokens + [-1] * (widest - len(request.tokens)) for request in requests]
    return torch.tensor(rows, dtype=torch.int64, device=draft_table.device).reshape(len(rows), widest), outputs


def feed(request: Request, count: int, drafts: Sequence[int]) -> list[int]:
    """Return the next tokens of a request, known ones and then drafts."""
    tokens = request.tokens[request.computed : request.computed + count]
    while len(tokens) < count:
        tokens.append(drafts[tokens[-1]])
    return tokens


def gather(fed: Sequence[Sequence[int]], firsts: Sequence[int], block_table: Tensor, block_size: int) -> Batch:
    """Return one batch of what requests are fed from their first positions on.

    block_table int32 [B, max_blocks], a row a request; block_size in tokens.
    """
    device = block_table.device
    places = [(row, first + place) for row, first in enumerate(firsts) for place in range(len(fed[row]))]
    table = block_table.tolist()
    slots = [table[row][place // block_size] * block_size + place % block_size for row, place in places]
    ends = list(itertools.accumulate((len(tokens) for tokens in fed), initial=0))
    lengths = [first + len(tokens) for first, tokens in zip(firsts, fed, strict=True)]
    return Batch(
        tokens=torch.tensor([token for tokens in fed for token in tokens], dtype=torch.int64, device=device),
        positions=torch.tensor([place for _, place in places], dtype=torch.int64, device=device),
        slots=torch.tensor(slots, dtype=torch.int64, device=device),
        block_table=block_table,
        context_lens=torch.tensor(lengths, dtype=torch.int32, device=device),
        query_start=torch.tensor(ends, dtype=torch.int32, device=device),
    )


def answer(request: Request, fed: Sequence[int], rows: Tensor, wanted: Tensor | None, slack: float) -> None:
    """Append what follows a request's last token, and what follows each draft that was right.

    rows [fed, V] are the logits of the tokens fed; wanted, int64 [tokens], those that win near ties.
    """
    known = len(request.tokens) - request.computed
    if known > len(fed):
        request.computed += len(fed)
        return
    for place in range(known - 1, len(fed)):
        request.tokens.append(best(rows[place], wanted, len(request.tokens), slack))
        if place + 1 < len(fed) and fed[place + 1] != request.tokens[-1]:
            break
    request.computed = len(request.tokens) - 1


def best(row: Tensor, wanted: Tensor | None, place: int, slack: float) -> int:
    """Return the token with the largest logit of row [V]; a wanted one where it is as large but for `slack`.

    wanted int64 [tokens]: the one at `place` is looked at.
    """
    if wanted is not None and 0 <= (token := int(wanted[place])) < len(row) and row[token] + slack >= row.max():
        return token
    return int(row.argmax())
