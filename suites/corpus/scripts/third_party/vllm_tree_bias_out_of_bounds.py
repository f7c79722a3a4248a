# vLLM 0.33, unified_attention: with qq_bias (a tree of drafts) the tile's rows past the last query are loaded, too: up
# to 15 rows behind the bias. The bias lies before a page that may not be read: the process dies (SIGSEGV).
# Dies while the bug is there, exits 0 when it is gone, 2 without vLLM's source: EAGERDIFF_VLLM=/folder/that/holds/vllm.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import ctypes, enum, mmap, types
root = os.path.join(os.environ.get("EAGERDIFF_VLLM", "."), "vllm")
if not os.path.exists(f"{root}/v1/attention/ops/triton_unified_attention.py"):
    sys.exit(print(f"needs vLLM's source: no {root}/v1/attention/ops/triton_unified_attention.py") or 2)
import torch, triton, triton.language
def put(name, path=None, **attributes):  # of vLLM the two files of the kernel are imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
for name in ("", "v1", "v1/attention", "v1/attention/ops"):
    put(".".join(["vllm", *filter(None, name.split("/"))]), os.path.join(root, name))
put("vllm.envs", VLLM_BATCH_INVARIANT=False)
put("vllm.logger", init_logger=lambda name: None)
put("vllm.triton_utils", triton=triton, tl=triton.language)
put("vllm.v1.kv_cache_interface", KVQuantMode=enum.IntEnum("KVQuantMode", "NONE INT4_PER_TOKEN_HEAD INT8_PER_TOKEN_HEAD FP8_PER_TOKEN_HEAD", start=0))
put("vllm.platforms", current_platform=types.SimpleNamespace(fp8_dtype=lambda: torch.float8_e4m3fn, is_device_capability_family=lambda family: False))
from vllm.v1.attention.ops.triton_unified_attention import unified_attention
pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + mmap.PAGESIZE), mmap.PAGESIZE, 0)
bias = torch.frombuffer(pages, dtype=torch.float32, count=9, offset=mmap.PAGESIZE - 36).view(3, 3)
query, keys, values = torch.randn(3, 1, 32).half(), torch.randn(1, 16, 1, 32).half(), torch.randn(1, 16, 1, 32).half()
unified_attention(query, keys, values, torch.empty_like(query), torch.tensor([0, 3]).int(), 3, torch.tensor([8]).int(), 8, 0.2,
    True, (-1, -1), torch.zeros(1, 8).int(), 0.0, None, None, None, qq_bias=bias)
