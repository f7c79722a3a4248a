"""The engine around the model: what each request is fed, where its keys go, and which of the answers it keeps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from eagerdiff.harness.internals.dynamo_marks import mark_static

Outputs = tuple[Tensor, Tensor, Tensor]


@dataclass
class Request:
    """Hold one request: its tokens, and how many of them the cache holds."""

    tokens: list[int]
    computed: int = 0

    def feed(self, count: int, drafts: Sequence[int]) -> list[int]:
        """Return its next tokens: known ones, then drafts that follow them."""
        fed = self.tokens[self.computed : self.computed + count]
        for _ in range(count - len(fed)):
            fed.append(drafts[fed[-1]])
        return fed

    def take(self, fed: Sequence[int], best: Sequence[int]) -> None:
        """Append the best next token, and those that follow drafts which were right."""
        known = len(self.tokens) - self.computed
        if known > len(fed):  # a chunk of a prompt: nothing is asked yet
            self.computed += len(fed)
            return
        self.tokens.append(best[known - 1])
        for draft, following in zip(fed[known:], best[known:], strict=True):
            if draft != self.tokens[-1]:
                break
            self.tokens.append(following)
        self.computed = len(self.tokens) - 1


def serving(run_pass: Callable[..., Outputs]) -> Callable[..., tuple[Tensor, list[Outputs]]]:
    """Return a decoder whose passes are those of a compiled model; arguments and result as the reference's."""

    def decoder(
        weights: Any,
        cache: list[Tensor],
        prompts: Sequence[Tensor],
        steps: Sequence[Any],
        draft_table: Tensor,
        **options: Any,
    ) -> tuple[Tensor, list[Outputs]]:
        requests = [Request(prompt.tolist()) for prompt in prompts]
        drafts = draft_table.tolist()
        outputs: list[Outputs] = []
        for preempted, names, counts, block_table in steps:
            for name in preempted:
                requests[name].computed = 0
            chosen = [requests[name] for name in names]
            fed = [request.feed(count, drafts) for request, count in zip(chosen, counts, strict=True)]
            batch = gather(fed, [request.computed for request in chosen], block_table, cache[0].shape[1])
            outputs.append(run_pass(weights, cache, *batch))
            best = outputs[-1][0].argmax(dim=-1).split(counts)
            for request, tokens, following in zip(chosen, fed, best, strict=True):
                request.take(tokens, following.tolist())
        return pad([request.tokens for request in requests], longest(prompts, steps), draft_table.device), outputs

    return decoder


def hold_fixed(run_pass: Callable[..., Outputs]) -> Callable[..., Outputs]:
    """Say before each pass that sizes of weights and caches never change, as Dynamo knows where a module owns them."""

    def marked(weights: Any, cache: Any, *batch: Any) -> Outputs:
        for tensor in tree_leaves((weights, cache)):
            mark_static(tensor)
        return run_pass(weights, cache, *batch)

    return marked


def gather(
    fed: Sequence[list[int]], firsts: Sequence[int], block_table: Tensor, block_size: int
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Return tokens, positions, slots and owners [T], the table, context lengths [B] and query starts [B + 1]."""
    device = block_table.device
    counts = torch.tensor([len(tokens) for tokens in fed], device=device)
    first = torch.tensor(firsts, device=device)
    query_start = torch.nn.functional.pad(counts.cumsum(0), (1, 0))
    tokens = torch.tensor([token for one in fed for token in one], dtype=torch.int64, device=device)
    owners = torch.arange(len(fed), device=device).repeat_interleave(counts)
    positions = torch.arange(len(tokens), device=device) - query_start[owners] + first[owners]
    slots = block_table[owners, positions // block_size].long() * block_size + positions % block_size
    context_lens = (first + counts).to(torch.int32)
    return tokens, positions, slots, owners, block_table, context_lens, query_start.to(torch.int32)


def longest(prompts: Sequence[Tensor], steps: Sequence[Any]) -> int:
    """Return how many tokens a request may have at most; prompts int64 [S], one a request."""
    return max((len(prompt) for prompt in prompts), default=0) + sum(sum(counts) for _, _, counts, _ in steps)


def pad(tokens: Sequence[list[int]], length: int, device: Any) -> Tensor:
    """Return tokens [requests, length], -1 behind the last."""
    rows = [row + [-1] * (length - len(row)) for row in tokens]
    return torch.tensor(rows, dtype=torch.int64, device=device).reshape(len(rows), length)
