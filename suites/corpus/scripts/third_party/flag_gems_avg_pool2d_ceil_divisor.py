# flag_gems 5.0.2, avg_pool2d with ceil_mode, padding counted (torch's default): every window's sum is divided by its
# whole size, also where ceil_mode lets a window reach past the padded image; torch counts what lies within. Of ones
# in 3 rows and columns, by windows of 2, the last means are 0.5 and 0.25 in place of 1. Backward divides likewise.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/avg_pool2d.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/avg_pool2d.py") or 2)
import torch, triton
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
put("flag_gems", root)
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.utils", libentry=lambda: lambda kernel: kernel)
autotune = triton.autotune
triton.autotune = lambda configs, key: autotune(configs[:1], key)  # without a GPU none is timed
from flag_gems.ops.avg_pool2d import avg_pool2d
x = torch.ones(1, 1, 3, 3)
found = avg_pool2d(x, 2, 2, ceil_mode=True)
right = torch.nn.functional.avg_pool2d(x, 2, 2, ceil_mode=True)
print(found.flatten().tolist(), "in place of", right.flatten().tolist())
sys.exit(not torch.allclose(found, right))
