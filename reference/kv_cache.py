"""A KV cache that never shares anything: one contiguous tensor a request."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from eagerdiff.reference.kv_counts import count_blocks


@dataclass
class _Cache:
    """Hold what one request has computed."""

    kv: Tensor
    weighed: int = 0
    """Leading full blocks that were held against the budget."""
    dropped: frozenset[int] = field(default_factory=frozenset[int])


def kv_cache(
    steps: Sequence[Sequence[Any]],
    *,
    block_size: int,
    window: int | None = None,
    budget: int | None = None,
    counted: bool = False,
    **pool: Any,
) -> list[Tensor]:
    """Replay a serving trace and return what each read finds: the keys and values [2, S, num_kv_heads, D] of a request.

    A step is a name and its arguments; kv is [2, tokens, num_kv_heads, D]:

    - ("add", request, tokens, extra_keys, kv): a prompt, and what the model computes for it
    - ("append", request, tokens, kv): more tokens of a request
    - ("fork", request, new): a copy of a request under another name
    - ("rewind", request, count): its last tokens were drafts and are rejected
    - ("free", request)
    - ("read", request): gather its cache; with a sliding window, the last `window` positions of it

    With a `budget`, a request keeps that many full blocks: whenever one more fills, the one of the others whose mean
    ratio of value norm to key norm is least is dropped (PagedEviction, arXiv 2509.04377); what the last append added
    are drafts, and count from the next one on. Everything else that a trace holds (preempt, resume, evict, restarts,
    transfers that end or fail) and all of `pool` moves blocks and changes no value.

    Where it is `counted`, what `count_blocks` says of `pool` follows, int64 [steps, 8 + 2 · tiers]; there is no
    budget then.
    """
    caches: dict[int, _Cache] = {}
    reads: list[Tensor] = []
    for name, *rest in steps:
        if name == "add":
            request, _, _, kv = rest
            caches[request] = _weigh(_Cache(kv), kv.shape[1], block_size, budget)
        elif name == "append":
            request, _, kv = rest
            found = caches[request]
            longer = replace(found, kv=torch.cat((found.kv, kv), dim=1))
            caches[request] = _weigh(longer, found.kv.shape[1], block_size, budget)
        elif name == "fork":
            request, new = rest
            caches[new] = caches[request]
        elif name == "rewind":
            request, count = rest
            found = caches[request]
            caches[request] = replace(found, kv=found.kv[:, : found.kv.shape[1] - count])
        elif name == "free":
            del caches[rest[0]]
        elif name == "read":
            reads.append(_gather(caches[rest[0]], block_size, window))
    return [*reads, count_blocks(steps, block_size=block_size, window=window, **pool)] if counted else reads


def _weigh(cache: _Cache, accepted: int, block_size: int, budget: int | None) -> _Cache:
    """Drop the least important of the older blocks whenever one more than the budget is full of accepted tokens."""
    full, dropped = accepted // block_size, set(cache.dropped)
    for newest in range(cache.weighed, full):
        older = [index for index in range(newest) if index not in dropped]
        if budget is not None and len(older) >= budget:
            dropped.add(min(older, key=lambda index: _importance(cache.kv, index, block_size)))
    return replace(cache, weighed=full, dropped=frozenset(dropped))


def _importance(kv: Tensor, index: int, block_size: int) -> float:
    keys, values = kv[:, index * block_size : (index + 1) * block_size].double().flatten(2).norm(dim=2)
    return float((values / keys.clamp(min=1e-9)).mean())


def _gather(cache: _Cache, block_size: int, window: int | None) -> Tensor:
    """Return the positions that attention reads."""
    length = cache.kv.shape[1]
    oldest = 0 if window is None else max(0, length - window)
    seen = [position for position in range(oldest, length) if position // block_size not in cache.dropped]
    return cache.kv[:, seen]
