# flag_gems 5.0.2, index_select: the index is read as if its elements lay one behind the other, and nothing makes them
# so. With one that is strided (a column, every second element), other columns are selected.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/index_select.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/index_select.py") or 2)
import torch, triton.language as tl
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(get_heuristic_config=lambda name: {"BLOCK_M": lambda given: 1, "BLOCK_N": lambda given: 16})
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.utils", triton_lang_extension=tl, libentry=lambda: lambda kernel: kernel,
    dim_compress=lambda x, dim: x)  # the last one is selected from
from flag_gems.ops.index_select import index_select
x, index = torch.tensor([[10.0, 11.0, 12.0]]), torch.tensor([0, 1, 2, 1])[::2]
found, right = index_select(x, 1, index).tolist(), x.index_select(1, index).tolist()
print(found, "in place of", right)
sys.exit(found != right)
