"""Other projects' KV cache managers under the operator `kv_cache`: an engine and a memory of ours, their books."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eagerdiff import Implementation, Requirements, SourceTree
from eagerdiff.compiled.adapters.kv_cache import lmcache, mini_sglang, nano_vllm, sglang, vllm
from eagerdiff.compiled.adapters.kv_cache.engine import replay_on
from eagerdiff.compiled.adapters.kv_cache.manager import Manager
from eagerdiff.compiled.adapters.kv_cache.offload import replay_with
from eagerdiff.compiled.adapters.limits import first
from eagerdiff.strategies.cases.kv_cache import KVCacheCase


@dataclass(frozen=True)
class Adapter:
    """Name a manager and say how it is opened."""

    name: str
    tree: SourceTree
    build: Callable[[Any], Callable[..., Any]]
    """Return `kv_cache` over it, given its module."""
    limits: Callable[[KVCacheCase], str | None]
    description: str
    statics: Mapping[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])
    """What kinds of cache are drawn for it, beside what is drawn for all."""

    def replay(self) -> Callable[..., Any]:
        """Return `kv_cache` over it; raise Declined where its source is not there."""
        return self.build(self.tree.load())

    def supports(self, case: KVCacheCase) -> str | None:
        """Return why a case is not for it."""
        common = {
            "what ours counts is a promise of ours; theirs are held after each step": case.counted,
            "no block is given up for its importance": case.budget is not None,
        }
        return first(common) or self.limits(case)

    def implementation(self) -> Implementation[KVCacheCase]:
        """Return it as an implementation of `kv_cache`."""
        return Implementation(
            operator="kv_cache",
            name=self.name,
            build=lambda case: self.replay(),
            supports=self.supports,
            devices=("cpu",),
            requires=Requirements(source_tree=self.tree),
            description=self.description,
        )


def _managed(
    open_managers: Callable[[Any], Callable[[int, int, bool], Manager]],
) -> Callable[[Any], Callable[..., Any]]:
    """Return what builds `kv_cache` over a manager: the memory is ours."""
    return lambda module: replay_on(open_managers(module))


_ADAPTERS = (
    Adapter(
        "nano_vllm.blocks", nano_vllm.TREE, _managed(nano_vllm.build), nano_vllm.supports, "nano-vllm's block manager"
    ),
    Adapter(
        "vllm.blocks", vllm.TREE, _managed(vllm.build), vllm.supports, "vLLM's KV cache manager over its block pool"
    ),
    Adapter(
        "mini_sglang.radix",
        mini_sglang.TREE,
        _managed(mini_sglang.build),
        mini_sglang.supports,
        "mini-sglang's radix cache",
    ),
    Adapter(
        "sglang.radix",
        sglang.TREE,
        _managed(sglang.build),
        sglang.supports,
        "SGLang's unified radix cache, in Python",
    ),
    Adapter(
        "lmcache.tiers",
        lmcache.TREE,
        replay_with,
        lmcache.supports,
        "LMCache's tiers, host memory and disk",
        {"tiers": ("host", "disk", "host_disk", "host_disk"), "tier_blocks": (3, 1, 2, 8, 12)},
    ),
)
MANAGERS: Mapping[str, Adapter] = {adapter.name: adapter for adapter in _ADAPTERS}
IMPLEMENTATIONS: Sequence[Implementation[KVCacheCase]] = tuple(adapter.implementation() for adapter in _ADAPTERS)
