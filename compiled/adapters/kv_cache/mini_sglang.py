"""mini-sglang's cache manager over its radix cache, as of its commit 20fcd7f.

`EAGERDIFF_MINI_SGLANG` names the folder that holds `minisgl/` (in its checkout: `python`).

What it promises: `CacheManager` in minisgl/scheduler/cache.py, `RadixPrefixCache` in minisgl/kvcache/radix_cache.py.
`match_req` looks for all tokens but the last, in whole pages; `cache_req` enters a prompt when it is computed and the
rest when the request ends. Tokens are int32 (what a case has for tokens and keys is numbered here), there is no
preemption (a request is aborted instead) and there are no drafts.
"""

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from eagerdiff import SourceTree
from eagerdiff.compiled.adapters.kv_cache.manager import NoRoom, Promises, Reuse, Slots
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.invariants import require
from eagerdiff.strategies.cases.kv_cache import KVCacheCase

_RADIX, _NAIVE = "minisgl.kvcache.radix_cache", "minisgl.kvcache.naive_cache"
_ROWS = 16
"""Requests that run at once at most."""


def _compare(one: Tensor, other: Tensor) -> int:
    """Stand in for a kernel in C++: the length of what two keys [tokens] have in common."""
    pairs = zip(one.tolist(), other.tolist(), strict=False)
    return next((index for index, (mine, its) in enumerate(pairs) if mine != its), min(len(one), len(other)))


def _prefix_cache(device: torch.device, type: str) -> Any:
    """Stand in for the registry of `minisgl.kvcache`, whose `__init__` is not run."""
    if type == "radix":
        return sys.modules[_RADIX].RadixPrefixCache(device)
    return sys.modules[_NAIVE].NaivePrefixCache(device)


class _Unpinned:
    """Stand in for torch without a GPU: memory is not pinned."""

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, name)

    def empty(self, *shape: int, pin_memory: bool = False, **options: Any) -> Tensor:
        return torch.empty(*shape, **options)


@functools.cache
def _tree(module: str) -> SourceTree:
    return SourceTree("minisgl", "EAGERDIFF_MINI_SGLANG", (module,), _STAND_INS)


_STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "minisgl.kvcache": {
        "__path__": [],
        "BaseCacheHandle": object,
        "MatchResult": object,
        "create_prefix_cache": _prefix_cache,
    },
    "minisgl.kernel": {"fast_compare_key": _compare},
    "minisgl.utils": {
        "align_down": lambda value, unit: value // unit * unit,
        "div_ceil": lambda value, unit: -(-value // unit),
    },
}
TREE = _tree("minisgl.scheduler.cache")


class MiniSGLang:
    """Drive a `CacheManager` as minisgl/scheduler does: prefill.py, decode.py and scheduler.py."""

    def __init__(self, module: Any, num_blocks: int, size: int, caching: bool) -> None:
        self.core, self.size = sys.modules["minisgl.core"], size
        self.promises = Promises(Reuse.TREE, caches=caching)
        setattr(self.core, "_GLOBAL_CTX", self.core.Context(page_size=size))  # noqa: B010 the module is theirs
        module.torch = _Unpinned()
        table = torch.zeros(_ROWS, num_blocks * size, dtype=torch.int32)
        self.cache = module.CacheManager(num_blocks, size, table, "radix" if caching else "naive")
        self._table = table.numpy()
        self.running: dict[int, Any] = {}
        self._rows = [*range(_ROWS)]
        self._numbers: dict[Any, int] = {}

    def admit(self, request: int, tokens: Sequence[int], keys: Sequence[Key]) -> int:
        """Place a prompt, as `PrefillAdder` does with one that waits; raise NoRoom where it cannot be."""
        names = [self._numbers.setdefault((repr(keys), token), len(self._numbers)) for token in tokens]
        ids = torch.tensor(names, dtype=torch.int32)
        handle = self.cache.match_req(SimpleNamespace(input_ids=ids, input_len=len(ids))).cuda_handle
        missing = len(ids) - handle.cached_len
        if missing > self.cache.available_size:
            raise NoRoom
        self.cache.lock(handle)
        if missing > self.cache.available_size:
            self.cache.unlock(handle)
            raise NoRoom
        row = self._rows.pop()
        if handle.cached_len:
            self.cache.page_table[row, : handle.cached_len] = handle.get_matched_indices()
        running = self.core.Req(ids, row, handle.cached_len, 1 << 20, request, self.core.SamplingParams(), handle)
        running.keys, running.prefill = repr(keys), len(ids)
        self.cache.allocate_paged([running])
        self.running[request] = running
        return handle.cached_len

    def extend(self, request: int, tokens: Sequence[int]) -> None:
        """Make room for further tokens, as `DecodeManager` and `_prepare_batch` do; raise NoRoom where it cannot be."""
        running = self.running[request]
        total = running.device_len + len(tokens)
        if (-(-total // self.size) + -running.cached_len // self.size) * self.size > self.cache.available_size:
            raise NoRoom
        names = [self._numbers.setdefault((running.keys, token), len(self._numbers)) for token in tokens]
        running.append_host(torch.tensor(names, dtype=torch.int32))
        running.device_len = total
        self.cache.allocate_paged([running])

    def computed(self, request: int, count: int) -> int:
        """Enter a prompt that is computed whole, as `_process_last_data` does."""
        running = self.running[request]
        running.cached_len = count
        if count == running.prefill:
            with self.cache.lazy_free_region():
                self.cache.cache_req(running, finished=False)
        return running.cache_handle.cached_len if count >= running.prefill else 0

    def rewind(self, request: int, count: int) -> bool:
        """Return False: it rejects no tokens."""
        return False

    def free(self, request: int) -> int:
        """End or abort a request, as `_free_req_resources` does."""
        running = self.running.pop(request)
        self._rows.append(running.table_idx)
        with self.cache.lazy_free_region():
            self.cache.cache_req(running, finished=True)
        return running.cached_len if self.promises.caches else 0

    def slots(self, request: int) -> Slots:
        """Return the row of the page table."""
        running = self.running[request]
        return self._table[running.table_idx, : running.device_len].astype(np.int64)

    def take(self, count: int) -> Sequence[int]:
        """Hand out and take back."""
        pages = self.cache._allocate(count)
        self.cache._free(self.cache._page_to_token(pages))
        return (pages // self.size).tolist()

    def idle(self) -> int:
        """Return how many pages are free or may be evicted."""
        return self.cache.available_size // self.size

    def order(self) -> Sequence[int]:
        """Return the pages that are free."""
        return (self.cache.free_slots.numpy() // self.size).tolist()

    def audit(self) -> None:
        """Count what its tree holds, and let it check itself where it does so itself: with no request at hand."""
        if not self.running:
            self.cache.check_integrity()
        tree = self.cache.prefix_cache
        if not self.promises.caches:
            return
        sizes = [0, 0]
        pages: list[int] = []
        waiting = [*tree.root_node.children.values()]
        while waiting:
            node = waiting.pop()
            sizes[node.ref_count > 0] += node.length
            pages += node.value[:: self.size].tolist()
            waiting += node.children.values()
        require(sizes == [*tree.size_info], f"the tree holds {sizes} tokens and counts {tree.size_info}")
        require(len({*pages}) == len(pages), "a page is in the tree twice")
        require(not {*pages} & {*self.cache.free_slots.tolist()}, "a page of the tree is free")


def build(module: Any) -> Callable[[int, int, bool], MiniSGLang]:
    """Return what opens a manager."""
    for name in (_RADIX, _NAIVE):
        _tree(name).load()
    return lambda num_blocks, size, prefix_caching: MiniSGLang(module, num_blocks, size, prefix_caching)


def supports(case: KVCacheCase) -> str | None:
    """Return why a case is not for it."""
    return None
