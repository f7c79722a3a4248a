# flag_gems 5.0.2, argmin over the last dim: the kernel has no masks. Of 3 rows of 5 a tile has 4 of 8: a row's
# minimum is looked for in the next one too, what lies behind the input is read, and a fourth index is written behind
# the output.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/argmin.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/argmin.py") or 2)
import torch, triton, triton.language as tl
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()),
    get_tuned_config=lambda name: [triton.Config({})],  # the heuristics are flag_gems' own, of Nvidia's backend
    get_heuristic_config=lambda name: {"BLOCK_M": lambda args: 4 if args["M"] < 4096 else 8,
        "BLOCK_N": lambda args: min(4096, triton.next_power_of_2(args["N"]))})
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.runtime", **runtime)
put("flag_gems.utils", libentry=lambda: lambda kernel: kernel, triton_lang_extension=tl)
put("flag_gems.utils.limits", get_dtype_max=lambda dtype: 3e38)
from flag_gems.ops.argmin import argmin_kernel_opt_k1
memory, out = torch.arange(64.0, 0.0, -1.0), torch.full((4,), -7)
x, found = memory[:15].view(3, 5), out[:3]
argmin_kernel_opt_k1[(1,)](x, found, 3, 5)
print(found.tolist(), "wanted", x.argmin(-1).tolist(), "and behind", out[3].item(), "where -7 was")
sys.exit(not torch.equal(found, x.argmin(-1)) or out[3].item() != -7)
