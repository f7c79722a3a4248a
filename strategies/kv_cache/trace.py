"""From the numbers of a case to a trace: requests that share prefixes, and what a model computes for their tokens."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.cases.kv_cache import KVCacheCase, Step

MOST_REQUESTS = 6
Key = str | int | bytes
EXTRA_KEYS: Sequence[tuple[Key, ...]] = ((), (), ("adapter-1",), ("salt",), ("adapter-1", "image-9"))
ALIKE_KEYS: Sequence[tuple[Key, ...]] = (
    (), ("",), ("a", "b"), ("ab",), ("b", "a"), ("a", ""), (1,), ("1",), (b"1",), (b"a", "b"),
)  # fmt: skip
"""Joined, sorted, cut short or turned into text, some of them are one."""
ALIKE_TOKENS = ((1, 23), (12, 3), (23, 1), (1 + 2**8, 23), (1 + 2**16, 23), (1 + 2**32, 23))
"""Joined, sorted or packed into fewer bytes, some of them are one; repeated over a prompt."""


def inputs(case: KVCacheCase, device: str) -> Inputs:
    """Build the steps of a trace with their tensors, and the options of the cache; at last all requests are read."""
    trace = Trace(case, device)
    for step in case.steps:
        trace.play(step)
    trace.steps += [("read", request) for request in trace.live]
    options = {
        name: getattr(case, name)
        for name in (
            "block_size",
            "num_blocks",
            "layout",
            "hash_bits",
            "window",
            "budget",
            "tiers",
            "tier_blocks",
            "counted",
        )
    }
    like = torch.empty(2, 0, case.num_kv_heads, case.head_dim, dtype=getattr(torch, case.dtype), device=device)
    more = {"prefix_caching": case.prefix_caching, "chunk": case.chunk, "like": like, "seed": case.seed}
    return Inputs((tuple(trace.steps),), options | more)


@dataclass
class _Live:
    tokens: list[int]
    extra_keys: tuple[Key, ...]
    drafts: int = 0


class Trace:
    """Play the steps of a case on lengths alone; a step that finds nothing to do is left out."""

    def __init__(self, case: KVCacheCase, device: str) -> None:
        self.case, self.device = case, device
        self.steps: list[tuple[Any, ...]] = []
        self.live: dict[int, _Live] = {}
        self.count = 0

    def play(self, step: Step) -> None:
        """Add a step to the trace."""
        name, which, amount, kind = step
        if name == "add":
            self._add(which, amount, kind)
        elif name in ("evict", "end_transfers"):
            self.steps.append((name, 1 + amount % 4))
        elif name in ("fail_transfer", "fail_store", "fail_load", "restart"):
            self.steps.append((name,))
        elif self.live:
            request = list(self.live)[which % len(self.live)]
            play: dict[str, Callable[[int, _Live, int, int], None]] = {
                "append": self._append, "fork": self._fork, "rewind": self._rewind, "free": self._free,
            }  # fmt: skip
            play.get(name, lambda *_: self.steps.append((name, request)))(request, self.live[request], amount, kind)

    def _add(self, family: int, amount: int, kind: int) -> None:
        """Add a prompt: those of one family begin alike."""
        if len(self.live) == MOST_REQUESTS:
            return
        length = 1 + amount % self.case.capacity
        tokens, extra_keys = self._prompt(family, length, kind)
        self.steps.append(("add", self.count, tuple(tokens), extra_keys, self._compute(tokens, extra_keys, 0)))
        self.live[self.count] = _Live(tokens, extra_keys)
        self.count += 1

    def _prompt(self, family: int, length: int, kind: int) -> tuple[list[int], tuple[Key, ...]]:
        """Return tokens and extra keys: `kind` picks the last token and the keys, where they are not all but equal."""
        if self.case.alike == "nothing":
            tokens = [family % 3 * 50 + (position % 3 if family % 2 else 0) for position in range(length)]
            return [*tokens[:-1], tokens[-1] + kind % 2], EXTRA_KEYS[kind % len(EXTRA_KEYS)]
        keys = self.case.alike == "keys"
        pair = ALIKE_TOKENS[0 if keys else family % len(ALIKE_TOKENS)]
        return [pair[position % 2] for position in range(length)], ALIKE_KEYS[kind % len(ALIKE_KEYS) if keys else 0]

    def _append(self, request: int, found: _Live, amount: int, kind: int) -> None:
        length = min(1 + amount % (2 * self.case.block_size + 1), self.case.capacity - len(found.tokens))
        if length < 1:
            return
        start = len(found.tokens)
        found.tokens = [*found.tokens, *((kind + position) % 3 for position in range(length))]
        found.drafts = length
        kv = self._compute(found.tokens, found.extra_keys, start)
        self.steps.append(("append", request, tuple(found.tokens[start:]), kv))

    def _fork(self, request: int, found: _Live, amount: int, kind: int) -> None:
        if len(self.live) < MOST_REQUESTS:
            self.steps.append(("fork", request, self.count))
            self.live[self.count] = _Live(found.tokens, found.extra_keys, found.drafts)
            self.count += 1

    def _rewind(self, request: int, found: _Live, amount: int, kind: int) -> None:
        count = min(1 + amount % max(1, found.drafts), found.drafts, len(found.tokens) - 1)
        if count > 0:
            found.tokens, found.drafts = found.tokens[:-count], found.drafts - count
            self.steps.append(("rewind", request, count))

    def _free(self, request: int, found: _Live, amount: int, kind: int) -> None:
        del self.live[request]
        self.steps.append(("free", request))

    def _compute(self, tokens: Sequence[int], extra_keys: tuple[Key, ...], start: int) -> Tensor:
        """Return the keys and values [2, tokens, K, D] from a position on: they depend on all tokens before.

        Small whole numbers, which every dtype of a cache holds.
        """
        count = 2 * self.case.num_kv_heads * self.case.head_dim
        names = (repr((tokens[: position + 1], extra_keys)).encode() for position in range(start, len(tokens)))
        digests = bytearray(b"".join(hashlib.shake_256(name).digest(count) for name in names))
        numbers = torch.frombuffer(digests, dtype=torch.uint8) % 16
        rows = numbers.view(-1, 2, self.case.num_kv_heads, self.case.head_dim).transpose(0, 1).contiguous()
        return rows.to(self.device, getattr(torch, self.case.dtype))
