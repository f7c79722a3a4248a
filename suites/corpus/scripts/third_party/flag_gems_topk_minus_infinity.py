# flag_gems 5.0.2, topk: lanes past a row hold the least finite number, which is more than -inf. Where a row has fewer
# than k numbers above -inf, the result has a number that is not in the row, and a place that it had before.
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
x = torch.tensor([[1.0, -torch.inf, -torch.inf]])
values, places = topk(x, 2)
print(values.tolist(), "at", places.tolist(), "in place of", torch.topk(x, 2).values.tolist())
sys.exit(not torch.equal(values, torch.topk(x, 2).values) or bool((places >= 3).any()))
