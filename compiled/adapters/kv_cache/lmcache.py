"""LMCache's tiers, memory and disk, as of its release 0.5.6; `EAGERDIFF_LMCACHE` names the folder that has `lmcache`.

What it promises: `LMCacheEngine` in lmcache/v1/cache_engine.py over `StorageManager`, `LocalCPUBackend` and
`LocalDiskBackend` in lmcache/v1/storage_backend. Its keys are tags of a request's configuration
(`CacheEngineKey.tags`, lmcache/utils.py). Its memory is not pinned here, and its writes to disk run in our thread, in
their order, when we let them: everything else is its own.
"""

import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import torch
from torch import Tensor

from eagerdiff import SourceTree
from eagerdiff.compiled.adapters.kv_cache.stored import Room
from eagerdiff.compiled.adapters.limits import first
from eagerdiff.compiled.kv_cache.hashing import Key
from eagerdiff.compiled.kv_cache.invariants import BrokenInvariant, require
from eagerdiff.strategies.cases.kv_cache import KVCacheCase

PAGE = 4096
"""Bytes that memory is handed out in: `AddressManager.ALIGN_BYTES`, lmcache/v1/memory_management.py."""
GARBAGE = 0xA5
WAITS = "who asks for memory waits, and nobody is going to free any"


class _Silent:
    """Stand in for loggers and counters: whatever is asked of them is one, and counts as nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *arguments: Any) -> None: ...

    def __add__(self, other: Any) -> float:
        return 0.0

    def __mul__(self, other: Any) -> float:
        return 0.0

    def __gt__(self, other: Any) -> bool:
        return False


class _Unused:
    """Stand in for what is named and not reached."""


def _unreached(name: str) -> type[_Unused]:
    """Stand in for whatever a module in C++ has; a module has no other underscores."""
    if name.startswith("__"):
        raise AttributeError(name)
    return _Unused


def _unused(names: str) -> dict[str, Any]:
    return dict.fromkeys(names.split(), _Unused)


_V1 = "lmcache.v1"
_STORAGE = f"{_V1}.storage_backend"
_STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "cachetools": _unused("TTLCache"),
    "transformers": _unused("AutoTokenizer"),
    "lmcache.integration": {"__path__": []},
    "lmcache.integration.vllm": {"__path__": []},
    "lmcache.lmcache_native": {"__getattr__": _unreached},
    "lmcache.logging": {"init_logger": lambda name: _Silent()},
    "lmcache.observability": dict.fromkeys(("LMCStatsMonitor", "LMCacheStatsLogger", "PrometheusLogger"), _Silent()),
    "lmcache.usage_telemetry": {"InitializeUsageContext": _Silent()},
    f"{_V1}.cache_controller": {"__path__": [], "LMCacheWorker": _Unused},
    f"{_V1}.cache_controller.message": _unused("OpType"),
    f"{_V1}.gpu_connector": {"__path__": []},
    f"{_V1}.gpu_connector.gpu_connectors": _unused("GPUConnectorInterface"),
    f"{_V1}.gpu_connector.utils": _unused("assert_layerwise_gpu_connector"),
    f"{_V1}.hidden_state_store": _unused("HiddenStateStore"),
    f"{_V1}.memory_allocators.cu_file_memory_allocator": _unused("CuFileMemoryAllocator"),
    f"{_V1}.system_detection": {
        "NUMADetector": SimpleNamespace(get_numa_mapping=lambda settings: None),
        **_unused("NUMAMapping SystemMemoryDetector"),
    },
    f"{_V1}.pin_monitor": {"PinMonitor": _Silent()},
    f"{_STORAGE}.batched_message_sender": _unused("BatchedMessageSender"),
    f"{_STORAGE}.gds_backend": _unused("GdsBackend"),
    f"{_STORAGE}.p2p_backend": _unused("P2PBackend"),
    f"{_STORAGE}.remote_backend": _unused("RemoteBackend"),
}

TREE = SourceTree(
    "lmcache",
    "EAGERDIFF_LMCACHE",
    (f"{_V1}.cache_engine",),
    _STAND_INS,
    ("lmcache", f"{_V1}.exceptions", f"{_V1}.platform", _STORAGE, f"{_STORAGE}.cache_policy"),
)


def forget_stand_ins() -> None:
    """Take what stood in for other packages away again: what asks later whether they are installed must not see it."""
    for name in _STAND_INS:
        if not name.startswith(TREE.package) and getattr(sys.modules.get(name), "__spec__", name) is None:
            del sys.modules[name]


class _Connector:
    """Copy chunks between its memory [2, 1, tokens, K · D] and ours, `kv` [2, tokens, K · D], as on a GPU."""

    def batched_from_gpu(
        self, pages: Any, starts: Sequence[int], ends: Sequence[int], *, kv: Tensor, **rest: Any
    ) -> None:
        """Copy ours into its pages."""
        for page, start, end in zip(pages, starts, ends, strict=True):
            page.tensor[:, 0].copy_(kv[:, start:end])

    def batched_to_gpu(
        self, pages: Any, starts: Sequence[int], ends: Sequence[int], *, kv: Tensor, **rest: Any
    ) -> None:
        """Copy its pages into ours."""
        for page, start, end in zip(pages, starts, ends, strict=True):
            kv[:, start:end].copy_(page.tensor[:, 0])


class _Broken:
    """Write half of what is given, then raise OSError, as a full disk does."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __enter__(self) -> "_Broken":
        return self

    def __exit__(self, *arguments: Any) -> None:
        self._file.close()

    def write(self, data: bytes) -> None:
        self._file.write(data[: len(data) // 2])
        raise OSError("no space left on device")


class LMCache:
    """Hold an engine of LMCache's, opened over a folder."""

    def __init__(self, module: Any, room: Room, size: int, like: Tensor, folder: Path) -> None:
        """`size` tokens a chunk; `like` [2, 0, num_kv_heads, D] keys and values."""
        self.module, self.folder = module, folder
        self.breaks = 0
        """Writes that will break off."""
        self.writes: list[Callable[[], None]] = []
        """Writes that have not ended."""
        self.ended: Callable[[bool], None] = lambda done: None
        """What hears of each write that ended, and whether well."""
        self._enter()
        settings = sys.modules[f"{_V1}.config"].LMCacheEngineConfig.from_defaults(
            chunk_size=size,
            local_cpu=room.keeps,
            max_local_cpu_size=room.host * PAGE / 1024**3,
            local_disk=f"file://{folder}" if room.disk else None,
            max_local_disk_size=room.disk * PAGE / 1024**3,
            lmcache_instance_id="eagerdiff",
            extra_config={"disk_io_threads": 1},
        )
        heads, width = like.shape[2:]
        about = sys.modules[f"{_V1}.metadata"].LMCacheMetadata(
            "model", 1, 1, 0, 0, like.dtype, (1, 2, size, heads, width), role="worker", chunk_size=size
        )
        self.tokens = sys.modules[f"{_V1}.token_database"].ChunkedTokenDatabase(settings, about)
        self.engine = module.LMCacheEngine(settings, about, self.tokens, _Connector(), None, None)
        self.engine.post_init()
        backends = self.engine.storage_manager.storage_backends
        self.host = backends["LocalCPUBackend"]
        self.disk = backends.get("LocalDiskBackend")
        if self.disk is not None:
            self.disk.disk_worker.submit_task = self._submit

    def close(self) -> None:
        """End it, as a process ends that is asked to: writes end first."""
        self.finish()
        self.engine.close()

    def finish(self) -> bool:
        """Let all writes end; return whether there was one. An error of one is LMCache's to notice."""
        some = bool(self.writes)
        while self.writes:
            done = True
            try:
                self.writes.pop(0)()
            except OSError:
                done = False
            self.ended(done)
        return some

    def names(self, tokens: Sequence[int], keys: Sequence[Key]) -> list[Any]:
        """Return the keys of a prompt's full chunks."""
        given = self.tokens.process_tokens(tokens=[*tokens], request_configs=configuration(keys))
        return [key for _, _, key in given]

    def lookup(self, tokens: Sequence[int], keys: Sequence[Key], request: str) -> int:
        """Return how many leading tokens are found, and pin them."""
        return self.engine.lookup([*tokens], lookup_id=request, pin=True, request_configs=configuration(keys))

    def retrieve(self, tokens: Sequence[int], keys: Sequence[Key], kv: Tensor, request: str) -> int:
        """Copy leading tokens into `kv` [2, tokens, K · D]; return how many are there."""
        every = torch.ones(len(tokens), dtype=torch.bool)
        mask = self.engine.retrieve([*tokens], every, kv=kv, request_configs=configuration(keys), req_id=request)
        count = int(mask.sum())
        require(bool(mask[:count].all()), f"{request}: what is retrieved is no prefix")
        return count

    def store(self, tokens: Sequence[int], keys: Sequence[Key], kv: Tensor, request: str, skip: int) -> None:
        """Store the full chunks of `kv` [2, tokens, K · D] from token `skip` on."""
        mask = torch.ones(len(tokens), dtype=torch.bool)
        mask[:skip] = False
        self.engine.store([*tokens], mask=mask, kv=kv, offset=skip, request_configs=configuration(keys), req_id=request)

    def unpin(self, request: str) -> None:
        """Release a lookup's pins."""
        self.engine.lookup_unpin(request)

    def _enter(self) -> None:
        """Put what is ours in place of threads, clocks and files of the modules; the engine changes no process."""
        self.module.gc = SimpleNamespace(collect=int, disable=int)
        self.module.multiprocessing = SimpleNamespace(set_start_method=lambda *arguments, **options: None)
        memory: Any = sys.modules[f"{_V1}.memory_management"]
        memory._allocate_cpu_memory = lambda size, *rest, **options: torch.full((size,), GARBAGE, dtype=torch.uint8)
        memory._free_cpu_memory = lambda *rest, **options: None
        host: Any = sys.modules[f"{_STORAGE}.local_cpu_backend"]
        host.time = SimpleNamespace(sleep=self._wait)
        disk: Any = sys.modules[f"{_STORAGE}.local_disk_backend"]
        disk.asyncio = SimpleNamespace(run_coroutine_threadsafe=_run)
        disk.open = self._open

    async def _submit(self, kind: str, task: Callable[..., None], *arguments: Any, **options: Any) -> None:
        """Stand in for `LocalDiskWorker.submit_task`."""
        self.writes.append(partial(task, *arguments, **options))

    def _open(self, path: str, mode: str) -> Any:
        file = Path(path).open(mode)  # noqa: SIM115 - LMCache closes it
        if "w" in mode and self.breaks:
            self.breaks -= 1
            return _Broken(file)
        return file

    def _wait(self, seconds: float) -> None:
        """Stand in for the sleep of one who waits for memory: others' writes end, or it is for ever."""
        if not self.finish():
            raise BrokenInvariant(WAITS)


def _run(job: Any, loop: Any) -> None:
    """Run a coroutine that waits for nothing."""
    with contextlib.suppress(StopIteration):
        job.send(None)


def configuration(keys: Sequence[Key]) -> dict[str, Key] | None:
    """Return keys as the tags of a request, by their place."""
    return {f"lmcache.tag.{place}": key for place, key in enumerate(keys)} or None


def room_of(tiers: str, tier_blocks: int, num_blocks: int) -> Room:
    """Return the room of a case's tiers.

    Host memory that is no tier is a buffer for a whole request; under host memory the disk is twice as large.
    """
    if tiers == "disk":
        return Room(num_blocks, tier_blocks, keeps=False)
    return Room(tier_blocks, 2 * tier_blocks if tiers == "host_disk" else 0, keeps=True)


def supports(case: KVCacheCase) -> str | None:
    """Return why a case is not for it."""
    width = 2 * case.num_kv_heads * case.head_dim * getattr(torch, case.dtype).itemsize
    return first(
        {
            "a chunk of more than a page of its memory, of which tiers are counted here": case.block_size * width
            > PAGE,
            "without a tier there is nothing that it could hold": case.tiers == "none",
            "a store that others write, too, is not adapted": case.tiers == "host_disk_store",
            "a cache that is switched off is not asked": not case.prefix_caching,
        }
    )
