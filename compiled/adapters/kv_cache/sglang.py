"""SGLang's prefix cache, the unified radix cache that it serves with by default, as of SGLang 0.5.23.

`EAGERDIFF_SGLANG` names the folder that holds `sglang/` (in its checkout: `python`).

What it promises: `UnifiedRadixCache` in sglang/srt/mem_cache/unified_radix_cache.py (its tree in Python, keys and
values alone, no host memory) over the allocators in mem_cache/allocator. A prompt is matched short of its last token,
in whole pages (`Req._compute_max_prefix_len`); `checkpoint` enters a prompt when it is computed and all there is when
a request ends. Keys are its `extra_key` and cache salt. There are no drafts here.
"""

import dataclasses
import enum
import functools
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from eagerdiff import SourceTree
from eagerdiff.compiled.adapters.kv_cache.manager import NoRoom, Promises, Reuse, Slots
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.invariants import require
from eagerdiff.strategies.cases.kv_cache import KVCacheCase

_ROWS = 16
"""Requests that run at once at most."""


class _Unused:
    """Stand in for what is named and not reached."""


class _Struct:
    """Stand in for msgspec's records: data classes."""

    def __init_subclass__(cls, *, kw_only: bool = False, **options: Any) -> None:
        for name in vars(cls).get("__annotations__", {}):
            if isinstance(default := vars(cls).get(name), list | dict):
                setattr(cls, name, dataclasses.field(default_factory=default.copy))
        dataclasses.dataclass(cls, kw_only=kw_only)


class _Settings:
    """Stand in for SGLang's environment variables: none is set."""

    def __getattr__(self, name: str) -> Any:
        return SimpleNamespace(get=lambda: False)


class _NoSessions:
    """Stand in for streaming sessions: there are none."""

    def __init__(self, cache: Any) -> None:
        self.slots: dict[str, Any] = {}

    def try_match_prefix(self, params: Any) -> None:
        return None

    def try_checkpoint(self, request: Any, **options: Any) -> bool:
        return False


class _Beliefs:
    """Stand in for what host memory would remember: nothing is stored below."""


def _no(*arguments: Any) -> bool:
    return False


def _undecorated(function: Any = None, **options: Any) -> Any:
    """Stand in for a decorator that compares ranks, of which there is one."""
    return function or (lambda decorated: decorated)


def _unused(names: str) -> dict[str, Any]:
    return dict.fromkeys(names.split(), _Unused)


def _ceil_align(value: int, unit: int) -> int:
    return -(-value // unit) * unit


_CACHE = "sglang.srt.mem_cache"
_COMPONENTS = f"{_CACHE}.unified_cache.components"
_STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "msgspec": {"Struct": _Struct, "field": dataclasses.field},
    "sglang.kernels.ops.kvcache.mla_buffer": _unused(
        "get_mla_kv_buffer_kernel get_mla_kv_buffer_triton set_mla_kv_buffer_dcp_sharded_triton "
        "set_mla_kv_buffer_fp8_quant_kernel set_mla_kv_buffer_kernel set_mla_kv_buffer_triton "
        "set_mla_kv_buffer_triton_fp8_quant set_mla_kv_scale_buffer_kernel set_mla_kv_scale_buffer_triton"
    ),
    "sglang.kernels.ops.memory.allocator": _unused("alloc_decode_kernel alloc_extend_kernel"),
    "sglang.kernels.ops.memory.common": _unused("_get_last_loc_safe_kernel get_last_loc_kernel"),
    "sglang.srt.disaggregation.kv_events": {
        "StorageMedium": enum.Enum("StorageMedium", ["GPU", "CPU", "DISK"]),
        **_unused("AllBlocksCleared BlockRemoved BlockStored kv_event_namespace_seed namespaced_block_hash"),
    },
    "sglang.srt.distributed.communication_tags": _unused("P2PTag"),
    "sglang.srt.environ": {"envs": _Settings()},
    "sglang.srt.managers.cache_controller": _unused("CacheOperation"),
    f"{_CACHE}.allocator": {"__path__": [], **_unused("BaseTokenToKVPoolAllocator")},
    f"{_CACHE}.allocator.page_interleave": {"page_interleave_shard_size": lambda allocator: 1},
    f"{_CACHE}.buffer_mode.pipeline": _unused("BufferModePipeline validate_buffer_only_stack"),
    f"{_CACHE}.buffer_mode.storage_existence_cache": {
        "StorageExistenceCache": _Beliefs,
        **_unused("PoolBeliefPolicy default_belief_policy"),
    },
    f"{_CACHE}.cpp_utils.native_hash": _unused("get_native_hash"),
    f"{_CACHE}.hybrid_cache.hybrid_cache_controller": _unused(
        "HybridCacheController PPPrefetchDecision PrefetchOperation"
    ),
    f"{_CACHE}.memory_pool": _unused("MHATokenToKVPool ReqToTokenPool"),
    f"{_CACHE}.storage_prefetch": {"StoragePrefetchRetries": _Beliefs},
    f"{_CACHE}.swa_memory_pool": _unused("SWAKVPool"),
    "sglang.srt.observability.metrics_collector": _unused(
        "RadixCacheMetricsCollector STAT_LOGGER_ROLE_RADIX_CACHE STAT_LOGGER_ROLE_STORAGE StorageMetrics "
        "StorageMetricsCollector radix_cache_metric_labels resolve_collector_class"
    ),
    "sglang.srt.platforms": {"current_platform": SimpleNamespace(capabilities=SimpleNamespace(supports_triton=False))},
    "sglang.srt.runtime_context": _unused(
        "get_disagg get_exec get_memory get_model get_observability get_parallel get_serving get_spec "
        "mamba_cache_chunk_size mamba_checkpoint_grid"
    ),
    "sglang.srt.session.streaming_session": {"StreamingSession": _NoSessions, "is_virtual_node": _no},
    "sglang.srt.utils": {
        "__path__": [],
        "get_bool_env_var": _no,
        "is_hip": _no,
        **_unused("get_device_module get_num_new_pages next_power_of_2"),
    },
    "sglang.srt.utils.common": {"ceil_align": _ceil_align},
    "sglang.srt.utils.poll_timer": _unused("PollTimer"),
    "sglang.srt.utils.rank_consensus_checker": {"rank_consensus": _undecorated},
}


@functools.cache
def _tree(module: str) -> SourceTree:
    return SourceTree("sglang", "EAGERDIFF_SGLANG", (module,), _STAND_INS)


TREE = _tree(f"{_COMPONENTS}.base")


@functools.cache
def _load() -> Any:
    """Load the cache; its components' package has names of its modules, and its `__init__` is not run."""
    parts = [_tree(f"{_COMPONENTS}.{name}").load() for name in ("base", "full")]
    names = {name: value for part in parts for name, value in vars(part).items() if not name.startswith("__")}
    components = {"__path__": [], **names, **_unused("MambaComponent SWAComponent")}
    stand_ins = {**_STAND_INS, _COMPONENTS: components}
    for name in ("cache_init_params", "allocator.token", "allocator.paged"):
        _tree(f"{_CACHE}.{name}").load()
    return SourceTree("sglang", "EAGERDIFF_SGLANG", (f"{_CACHE}.unified_radix_cache",), stand_ins).load()


class _Rows:
    """Stand in for `ReqToTokenPool`, whose file imports kernels: a row of slots a request."""

    def __init__(self, tokens: int) -> None:
        self.req_to_token = torch.zeros(_ROWS, tokens, dtype=torch.int32)
        self.free = [*range(_ROWS)]

    def write(self, where: Any, values: torch.Tensor) -> None:
        self.req_to_token[where] = values.to(torch.int32)


class _Kept(SimpleNamespace):
    """Stand in for `ReqKvInfo` of managers/schedule_batch.py, which imports everything."""

    def get_evicted_seqlen(self, component: Any) -> int:
        return 0

    def swa_dead_lo(self, page_size: int) -> int:
        return self.cache_protected_len


class SGLang:
    """Drive a cache as sglang/srt does: mem_cache/common.py and managers/schedule_batch.py, a request at a time."""

    def __init__(self, module: Any, num_blocks: int, size: int, caching: bool) -> None:
        self.module, self.size = module, size
        self.promises = Promises(Reuse.TREE, caches=caching)
        self.rows = _Rows((num_blocks + 1) * size)
        self._table = self.rows.req_to_token.numpy()
        self.allocator = _allocator(num_blocks, size)
        params = sys.modules[f"{_CACHE}.cache_init_params"].CacheInitParams(
            disable=not caching,
            req_to_token_pool=self.rows,
            token_to_kv_pool_allocator=self.allocator,
            page_size=size,
            tree_components=(module.ComponentType.FULL,),
            tree_core_backend="python",
        )
        self.cache = module.UnifiedRadixCache(params)
        self.base = sys.modules[f"{_CACHE}.base_prefix_cache"]
        self.running: dict[int, Any] = {}

    def admit(self, request: int, tokens: Sequence[int], keys: Sequence[Key]) -> int:
        """Place a prompt, as `match_kv_cache`, `PrefillAdder` and `alloc_for_extend` do; raise NoRoom otherwise."""
        ids, extra, salt = array("q", tokens), repr(keys[:1]) if keys else None, repr(keys[1:]) if keys[1:] else None
        key = self.module.RadixKey(ids, extra, limit=len(ids) - 1, cache_salt=salt)
        match = self.cache.match_prefix(self.base.MatchPrefixParams(key=key))
        cached = match.device_prefix_len
        lock = self.cache.lock(match.last_device_node)
        pages = -(-len(ids) // self.size) - cached // self.size
        slots = self._allocate(pages)
        if slots is None:
            self.cache.unlock(lock)
            raise NoRoom
        row = self.rows.free.pop()
        running = SimpleNamespace(
            rid=str(request), full_untruncated_fill_ids=ids, origin_input_ids=ids[:], extra_key=extra, cache_salt=salt,
            priority=None, session_id=None, kv_rotation_base=None, last_node=match.last_device_node, lock=lock,
            prefix_len=cached, ended=False,
            kv=_Kept(req_pool_idx=row, cache_protected_len=cached, cache_inserted_len=0),
        )  # fmt: skip
        running.finished = lambda: running.ended
        if cached:
            self.rows.write((row, slice(0, cached)), self.cache.path_device_indices(running.last_node)[:cached])
        self.rows.write((row, slice(cached, cached + len(slots))), slots)
        self.running[request] = running
        return cached

    def extend(self, request: int, tokens: Sequence[int]) -> None:
        """Make room for further tokens, as `alloc_for_decode` does; raise NoRoom where it cannot be."""
        running = self.running[request]
        held = -(-len(running.full_untruncated_fill_ids) // self.size)
        total = len(running.full_untruncated_fill_ids) + len(tokens)
        slots = self._allocate(-(-total // self.size) - held)
        if slots is None:
            raise NoRoom
        running.full_untruncated_fill_ids.extend(tokens)
        start = held * self.size
        self.rows.write((running.kv.req_pool_idx, slice(start, start + len(slots))), slots)

    def computed(self, request: int, count: int) -> int:
        """Enter a prompt, or the chunk of it that is computed; what is decoded waits for the end."""
        running = self.running[request]
        if count <= len(running.origin_input_ids):
            self.cache.checkpoint(running, up_to=count)
        return running.kv.cache_protected_len if self.promises.caches else 0

    def rewind(self, request: int, count: int) -> bool:
        """Return False: it rejects no tokens."""
        return False

    def free(self, request: int) -> int:
        """End or retract a request, as `release_kv_cache` does."""
        running = self.running.pop(request)
        running.ended, total = True, len(running.full_untruncated_fill_ids)
        self.cache.checkpoint(running, up_to=total)
        self.cache.free_kv_row(running.kv, [(running.kv.cache_protected_len, total)])
        self.cache.unlock(running.lock)
        self.rows.free.append(running.kv.req_pool_idx)
        return total if self.promises.caches else 0

    def slots(self, request: int) -> Slots:
        """Return a request's row."""
        running = self.running[request]
        return self._table[running.kv.req_pool_idx, : len(running.full_untruncated_fill_ids)].astype(np.int64)

    def take(self, count: int) -> Sequence[int]:
        """Hand out and take back."""
        slots = self._allocate(count)
        require(slots is not None, f"{count} pages are said to be there and are not")
        assert slots is not None
        self.allocator.free_segment(slots, start_pos=0)
        return (slots[:: self.size] // self.size).tolist()

    def idle(self) -> int:
        """Return how many pages are free or may be evicted."""
        return (self.allocator.available_size() + self._evictable()) // self.size

    def order(self) -> Sequence[int]:
        """Return the pages that are free."""
        return self.allocator.get_all_free_pages().tolist()

    def audit(self) -> None:
        """Count what the tree holds."""
        if not self.promises.caches:
            return
        held = self.cache.all_values_flatten() if self.cache.total_size() else torch.zeros(0)
        pages = (held[:: self.size] // self.size).tolist()
        require(len({*pages}) == len(pages), "a page is in the tree twice")
        require(not {*pages} & {*self.order()}, "a page of the tree is free")
        counted = self._evictable() + self.cache.protected_size()
        require(counted == len(held), f"the tree holds {len(held)} tokens and counts {counted}")

    def _evictable(self) -> int:
        return self.cache.evictable_size() if self.promises.caches else 0

    def _allocate(self, pages: int) -> torch.Tensor | None:
        """Return the slots of so many pages, for which others are evicted, or None where there are too few."""
        wanted = pages * self.size
        if wanted > self.allocator.available_size() + self._evictable():
            return None
        shortfall = wanted - self.allocator.available_size()
        if shortfall > 0:
            self.cache.evict_for_alloc(self.base.EvictParams(num_tokens=shortfall))
        return self.allocator.alloc(wanted)


def _allocator(num_blocks: int, size: int) -> Any:
    arguments = {"dtype": torch.float32, "device": "cpu", "kvcache": None, "need_sort": False}
    if size == 1:
        return sys.modules[f"{_CACHE}.allocator.token"].TokenToKVPoolAllocator(num_blocks, **arguments)
    paged = sys.modules[f"{_CACHE}.allocator.paged"]
    return paged.PagedTokenToKVPoolAllocator(num_blocks * size, size, **arguments)


def build(module: Any) -> Callable[[int, int, bool], SGLang]:
    """Return what opens a manager; `module` is one of those that the cache is made of."""
    cache = _load()
    return lambda num_blocks, size, prefix_caching: SGLang(cache, num_blocks, size, prefix_caching)


def supports(case: KVCacheCase) -> str | None:
    """Return why a case is not for it."""
    return None
