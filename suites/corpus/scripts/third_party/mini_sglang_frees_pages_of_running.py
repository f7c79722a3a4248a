# mini-sglang 20fcd7f, CacheManager.cache_req: a prompt is matched short of its last token and entered whole. Where it is
# cached whole, the page that was taken for its last token is freed as a duplicate, and the running request's page table
# still names it: what is decoded reads a page that another request may write into (its pull request 142, open).
# Exits 1 while the bug is there, 0 when it is gone, 2 without its source: EAGERDIFF_MINI_SGLANG=/folder/that/holds/minisgl.
import importlib, os, sys, types
root = os.path.join(os.environ.get("EAGERDIFF_MINI_SGLANG", "."), "minisgl")
if not os.path.exists(f"{root}/scheduler/cache.py"):
    sys.exit(print(f"needs mini-sglang's source: no {root}/scheduler/cache.py") or 2)
import torch
def put(name, path=None, **attributes):  # of mini-sglang the files of its cache are imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
def common(one, other):  # a kernel in C++: how many leading tokens are equal
    return next((i for i, (a, b) in enumerate(zip(one.tolist(), other.tolist())) if a != b), min(len(one), len(other)))
put("minisgl", root), put("minisgl.scheduler", f"{root}/scheduler")
put("minisgl.kernel", fast_compare_key=common)
put("minisgl.utils", align_down=lambda x, unit: x // unit * unit, div_ceil=lambda x, unit: -(-x // unit))
put("minisgl.kvcache", f"{root}/kvcache", BaseCacheHandle=object, MatchResult=object,
    create_prefix_cache=lambda device, type: importlib.import_module("minisgl.kvcache.radix_cache").RadixPrefixCache(device))
import minisgl.core as core, minisgl.scheduler.cache as module
class Unpinned:  # torch without a GPU
    def __getattr__(self, name): return getattr(torch, name)
    def empty(self, *shape, pin_memory=False, **options): return torch.empty(*shape, **options)
module.torch = Unpinned()
core.set_global_ctx(core.Context(page_size=1))
manager = module.CacheManager(8, 1, torch.zeros(2, 8, dtype=torch.int32), "radix")
prompt = torch.tensor([5, 6, 7], dtype=torch.int32)
def prefill(row):  # as PrefillAdder, _prepare_batch and _process_last_data do
    handle = manager.match_req(types.SimpleNamespace(input_ids=prompt, input_len=3)).cuda_handle
    manager.lock(handle)
    if handle.cached_len:
        manager.page_table[row, : handle.cached_len] = handle.get_matched_indices()
    request = core.Req(prompt, row, handle.cached_len, 4, row, core.SamplingParams(), handle)
    manager.allocate_paged([request])
    request.complete_one()
    manager.cache_req(request, finished=False)
prefill(0), prefill(1)
freed = sorted({*manager.page_table[1, :3].tolist()} & {*manager.free_slots.tolist()})
print(f"the second request runs on pages {manager.page_table[1, :3].tolist()}, of which {freed} are free")
sys.exit(bool(freed))
