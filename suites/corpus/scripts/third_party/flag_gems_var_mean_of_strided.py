# flag_gems 5.0.2, var_mean over all dims: the first elements of memory are read, as many as there are, and no stride is
# looked at: of every second column the result is that of the first half of all.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/var_mean.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/var_mean.py") or 2)
import torch, triton, triton.language as tl
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()),
    get_tuned_config=lambda name: [triton.Config({"BLOCK_M": 1, "BLOCK_N": 1024})],
    get_heuristic_config=lambda name: {"BLOCK_N": lambda given: triton.next_power_of_2(given["BLOCK_NUM"])})
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.runtime", **runtime)
put("flag_gems.utils", triton_lang_extension=tl, libentry=lambda: lambda kernel: kernel, dim_compress=None)
from flag_gems.ops.var_mean import var_mean
x = torch.arange(8.0)[::2]
found, right = [one.item() for one in var_mean(x)], [one.item() for one in torch.var_mean(x)]
print(found, "in place of", right)
sys.exit(not torch.allclose(torch.tensor(found), torch.tensor(right)))
