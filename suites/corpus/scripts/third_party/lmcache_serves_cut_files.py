# LMCache 0.5.6, LocalDiskBackend.read_file: how many bytes were read is not looked at. Of a file that is cut (a full disk,
# a crash) the rest is what lay in the memory before, another prompt's, and it is served (its pull request 3292, open).
# Exits 1 while the bug is there, 0 when it is gone, 2 without LMCache: EAGERDIFF_LMCACHE=/folder/that/holds/lmcache, or installed.
import asyncio, importlib.util, os, sys, tempfile, threading, torch, types, unittest.mock as mock
root = os.environ.get("EAGERDIFF_LMCACHE") or os.path.dirname(getattr(importlib.util.find_spec("lmcache"), "origin", None) or "") + "/.."
if not os.path.exists(f"{root}/lmcache/v1/storage_backend/local_disk_backend.py"):
    sys.exit(print("needs LMCache") or 2)
sys.path.insert(0, root), os.environ.setdefault("LMCACHE_LOG_LEVEL", "ERROR")
for name in ("cachetools", "numba", "psutil", "lmcache.observability", "lmcache.v1.pin_monitor",
             "lmcache.v1.cache_controller", "lmcache.v1.cache_controller.message", "lmcache.integration.vllm",
             "lmcache.integration.vllm.utils", "lmcache.v1.storage_backend.batched_message_sender"):
    sys.modules[name] = mock.MagicMock()  # of LMCache the files of its local tiers are imported, and no server or GPU
sys.modules["lmcache.v1.storage_backend"] = types.SimpleNamespace(
    __path__=[f"{root}/lmcache/v1/storage_backend"], __spec__=None)
from lmcache.utils import CacheEngineKey
from lmcache.v1.config import LMCacheEngineConfig
from lmcache.v1.memory_allocators.tensor_memory_allocator import TensorMemoryAllocator
from lmcache.v1.storage_backend.local_cpu_backend import LocalCPUBackend
from lmcache.v1.storage_backend.local_disk_backend import LocalDiskBackend
def open_tiers(host_pages, disk_pages):
    settings = LMCacheEngineConfig.from_defaults(local_cpu=True, local_disk=tempfile.mkdtemp(), max_local_disk_size=disk_pages * 4096 / 2**30)
    host = LocalCPUBackend(settings, dst_device="cpu", memory_allocator=TensorMemoryAllocator(torch.zeros(4096 * host_pages, dtype=torch.uint8)))
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return host, LocalDiskBackend(settings, loop, host, dst_device="cpu")
def key(number, **tags): return CacheEngineKey("model", 1, 0, number, torch.float32, {f"lmcache.tag.{k}": v for k, v in tags.items()})
def store(host, disk, key, value):  # keys and values of one token, all of them `value`, as StorageManager.batched_put does
    page = host.allocate(torch.Size((2, 1, 1, 512)), torch.float32)
    page.tensor.fill_(value)
    disk.submit_put_task(key, page)
    asyncio.run_coroutine_threadsafe(disk.disk_worker.submit_task("put", int), disk.loop).result(9), page.ref_count_down()
host, disk = open_tiers(1, 8)
store(host, disk, key(1), 1.0), store(host, disk, key(2), 2.0)  # another prompt's, in the same memory
os.truncate(disk.dict[key(1)].path, 2048)
page = disk.get_blocking(key(1))
wrong = page is not None and not bool((page.tensor == 1).all())
print("what is read has", None if page is None else page.tensor.unique().tolist(), "where 1 was stored", flush=True)
os._exit(wrong)
