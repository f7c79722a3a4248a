# flag_gems 5.0.2, mm: the last block of K begins at cdiv(K, BLOCK_K) * BLOCK_K - BLOCK_K, which is -BLOCK_K where K
# is 0, and its mask has no lower bound: what lies before the matrices is read. Torch's pointer of an empty tensor is
# 0: the process dies (SIGSEGV), and on a GPU the access is illegal.
# Dies while the bug is there, exits 0 when it is gone, 2 without flag_gems:
# EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/mm.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/mm.py") or 2)
import torch, triton, triton.language as tl
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()),
    get_tuned_config=lambda name: [])
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.ops.mm_streamk", streamk_mm=None)
put("flag_gems.runtime", **runtime)
put("flag_gems.utils", libentry=lambda: lambda kernel: kernel, libtuner=lambda **_: lambda kernel: kernel,
    triton_lang_extension=tl)
put("flag_gems.utils.device_info", get_device_capability=None, get_sm_count=None)
from flag_gems.ops.mm import mm_kernel_general
a, b, found = torch.empty(4, 0), torch.empty(0, 4), torch.empty(4, 4)
mm_kernel_general[(1,)](a, b, found, 4, 4, 0, *a.stride(), *b.stride(), *found.stride(),
    BLOCK_M=16, BLOCK_N=16, BLOCK_K=16, GROUP_M=1)
print(found.tolist())
sys.exit(not torch.equal(found, a @ b))
