"""vLLM's KV cache manager and block pool (v1), as of vLLM 0.33: `EAGERDIFF_VLLM` names the folder that holds `vllm/`.

What it promises: `KVCacheManager.get_computed_blocks` in vllm/v1/core/kv_cache_manager.py looks for full blocks short
of the last token. `BlockHashToBlockMap` in block_pool.py keeps every block of one content. `BlockPool.free_blocks`
puts blocks that are in no cache first, the others in the order in which they were left. `allocate_slots` caches no
token that may be rejected. Keys are its cache salt.
"""

import enum
import functools
import hashlib
import inspect
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import torch

from eagerdiff import SourceTree
from eagerdiff.compiled.adapters.kv_cache.manager import NoRoom, Promises, Reuse, Slots, slots_of
from eagerdiff.compiled.adapters.vllm import PLATFORM, Logger
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.invariants import require
from eagerdiff.strategies.cases.kv_cache import KVCacheCase


class _Unused:
    """Stand in for what is named and not reached."""

    @classmethod
    def from_sampling_params(cls, params: Any) -> None:
        return None


def sha256(value: Any) -> bytes:
    """Hash as vLLM's default does: vllm/utils/hashing.py, whose file needs cbor2."""
    return hashlib.sha256(pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)).digest()


_FINISHED = enum.Enum("_FINISHED", ["STOP", "LENGTH", "ABORT", "ERROR", "REPETITION"])


def _unused(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, _Unused)


_ARITHMETIC: Mapping[str, Any] = {
    "cdiv": lambda x, y: -(-x // y),
    "get_dtype_size": lambda dtype: dtype.itemsize,
    "round_down": lambda x, y: x // y * y,
    "round_up": lambda x, y: -(-x // y) * y,
}
_STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "vllm.config": {"get_current_vllm_config_or_none": lambda: None, **_unused("VllmConfig")},
    "vllm.distributed.kv_events": _unused(
        "MEDIUM_CPU", "MEDIUM_GPU", "AllBlocksCleared", "BlockRemoved", "BlockStored", "KVCacheEvent"
    ),
    "vllm.envs": {"VLLM_KV_EVENTS_USE_INT_BLOCK_HASHES": False},
    "vllm.logger": {"init_logger": Logger},
    "vllm.multimodal.inputs": _unused("MultiModalFeatureSpec"),
    "vllm.multimodal.utils": _unused("get_mm_features_in_window"),
    "vllm.platforms": {"current_platform": PLATFORM},
    "vllm.pooling_params": _unused("PoolingParams"),
    "vllm.sampling_params": _unused("SamplingParams"),
    "vllm.utils": {
        "__path__": [],
        "length_from_prompt_token_ids_or_embeds": lambda ids, embeds: len(ids),
        **_ARITHMETIC,
        **_unused("GiB_bytes", "sha256_cbor"),
    },
    "vllm.utils.hashing": {"sha256": sha256, **_unused("sha256_cbor", "xxhash", "xxhash_cbor")},
    "vllm.utils.math_utils": _ARITHMETIC,
    "vllm.utils.torch_utils": _ARITHMETIC,
    "vllm.v1.attention.backends.registry": {"MambaAttentionBackendEnum": SimpleNamespace(MAMBA2="mamba2")},
    "vllm.v1.core.kv_cache_metrics": _unused("KVCacheMetricsCollector"),
    "vllm.v1.engine": {
        "FinishReason": _FINISHED,
        **_unused("EngineCoreEvent", "EngineCoreEventType", "EngineCoreRequest"),
    },
    "vllm.v1.hisparse.block_pool": _unused("SharedEventQueueBlockPool"),
    "vllm.v1.kv_hints": _unused("KvHintsEnvelope"),
    "vllm.v1.metrics.stats": _unused("PrefillStats", "PrefixCacheStats", "RequestSpecDecodeMetrics"),
    "vllm.v1.structured_output.request": _unused("StructuredOutputRequest"),
    "vllm.v1.utils": {"ConstantList": lambda tokens: tokens, "tensor_data": None},
}
TREE = SourceTree("vllm", "EAGERDIFF_VLLM", ("vllm.v1.core.kv_cache_manager",), _STAND_INS)
_SAMPLING = SimpleNamespace(max_tokens=1 << 20, extra_args=None, skip_reading_prefix_cache=False)


class VLLM:
    """Drive a `KVCacheManager` as vllm/v1/core/sched/scheduler.py does, full attention alone."""

    def __init__(self, module: Any, num_blocks: int, size: int, caching: bool) -> None:
        self.size, self.caching = size, caching
        self.promises = Promises(Reuse.NAMELESS_FIRST, caches=caching)
        spec, keys = sys.modules["vllm.v1.kv_cache_interface"], sys.modules["vllm.v1.core.kv_cache_utils"]
        layer = _call(spec.FullAttentionSpec, block_size=size, num_kv_heads=1, head_size=4, dtype=torch.float32)
        group = spec.KVCacheGroupSpec(["layer"], layer)
        config = spec.KVCacheConfig(num_blocks=num_blocks + 1, kv_cache_tensors=[], kv_cache_groups=[group])
        keys.init_none_hash(sha256)
        self.hasher = keys.get_request_block_hasher(size, sha256) if caching else None
        self.request_type = module.Request
        self.manager = _call(
            module.KVCacheManager,
            kv_cache_config=config,
            max_model_len=num_blocks * size,
            scheduler_block_size=size,
            hash_block_size=size,
            enable_caching=caching,
        )
        self.pool = self.manager.block_pool
        self.running: dict[int, Any] = {}
        self.drafts: dict[int, list[int]] = {}
        self._admitted = 0

    def admit(self, request: int, tokens: Sequence[int], keys: Sequence[Key]) -> int:
        """Place a prompt, as `schedule` does with one that waits; raise NoRoom where it cannot be."""
        self._admitted += 1
        running = _call(
            self.request_type,
            request_id=str(self._admitted),
            prompt_token_ids=[*tokens],
            sampling_params=_SAMPLING,
            pooling_params=None,
            eos_token_id=None,
            cache_salt=repr(keys) if keys else None,
            block_hasher=self.hasher,
        )
        blocks, cached, *_ = self.manager.get_computed_blocks(running)
        if self.manager.allocate_slots(running, len(tokens) - cached, cached, blocks) is None:
            raise NoRoom
        running.num_computed_tokens = cached
        self.running[request], self.drafts[request] = running, []
        return cached

    def extend(self, request: int, tokens: Sequence[int]) -> None:
        """Accept the drafts there are, and make room for further ones; raise NoRoom where it cannot be."""
        running = self.running[request]
        running.append_output_token_ids(self.drafts[request])
        self.drafts[request] = []
        if self.manager.allocate_slots(running, len(tokens)) is None:
            raise NoRoom
        self.drafts[request] = [*tokens]

    def computed(self, request: int, count: int) -> int:
        """Count what is computed; `allocate_slots` has cached what may be."""
        self.running[request].num_computed_tokens = count
        return min(count, self.running[request].num_tokens) if self.caching else 0

    def rewind(self, request: int, count: int) -> bool:
        """Reject drafts, whose blocks stay; return False for tokens that are no drafts any more."""
        if count > len(self.drafts[request]):
            return False
        del self.drafts[request][-count:]
        self.running[request].num_computed_tokens -= count
        return True

    def free(self, request: int) -> int:
        """Forget a request, or preempt it: no more is cached."""
        self.manager.free(self.running.pop(request))
        del self.drafts[request]
        return 0

    def slots(self, request: int) -> Slots:
        """Return the slots of a request's blocks."""
        (blocks,) = self.manager.get_block_ids(self.running[request].request_id)
        return slots_of((*blocks,), self.size)

    def take(self, count: int) -> Sequence[int]:
        """Hand out and take back."""
        blocks = self.pool.get_new_blocks(count)
        self.pool.free_blocks(blocks)
        return [block.block_id for block in blocks]

    def idle(self) -> int:
        """Return how many blocks are in the queue."""
        return self.pool.get_num_free_blocks()

    def order(self) -> Sequence[int]:
        """Return the queue."""
        return [block.block_id for block in self.pool.free_block_queue.get_all_free_blocks()]

    def audit(self) -> None:
        """Count references, and look cached blocks up by their hashes."""
        (tables,) = self.manager.coordinator.single_type_managers
        held = Counter(block.block_id for table in tables.req_to_blocks.values() for block in table)
        for block in self.pool.blocks[1:]:
            require(block.ref_cnt == held[block.block_id], f"block {block.block_id} has {block.ref_cnt} references")
            found = block.block_hash is None or self.pool.cached_block_hash_to_block.contain(
                block.block_hash, block.block_id
            )
            require(found, f"block {block.block_id} has a hash by which it is not found")


def _call(function: Callable[..., Any], **arguments: Any) -> Any:
    """Call with the arguments that this release has."""
    known = _parameters(function)
    return function(**{name: value for name, value in arguments.items() if name in known})


@functools.cache
def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(function).parameters)


def build(module: Any) -> Callable[[int, int, bool], VLLM]:
    """Return what opens a manager."""
    return lambda num_blocks, size, prefix_caching: VLLM(module, num_blocks, size, prefix_caching)


def supports(case: KVCacheCase) -> str | None:
    """Return why a case is not for it."""
    return None
