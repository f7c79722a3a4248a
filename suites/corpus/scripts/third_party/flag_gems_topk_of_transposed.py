# flag_gems 5.0.2, topk: the input is read as if its rows lay one behind the other, and nothing makes them so. Of a
# transposed tensor (or any that is not contiguous) the result is that of other numbers.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/topk.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/topk.py") or 2)
import torch, triton, triton.language as tl
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()))
put("flag_gems", root)
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.runtime", **runtime)
put("flag_gems.utils", f"{root}/utils", triton_lang_extension=tl, libentry=lambda: lambda kernel: kernel)
put("flag_gems.utils.triton_version_utils", HAS_TLE=False)
from flag_gems.ops.topk import topk
x = torch.tensor([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]).T
found, right = topk(x, 1)[0].flatten().tolist(), x.contiguous().topk(1).values.flatten().tolist()
print(found, "in place of", right)
sys.exit(found != right)
