# flag_gems 5.0.2, batch_norm: where there are no running statistics, the kernel is given the input in their place;
# while training it stores them, so that the first elements of the input are lost, and one program reads what another
# wrote.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/batch_norm.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/batch_norm.py") or 2)
import torch, triton, triton.language as tl
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()),
    get_tuned_config=lambda name: [triton.Config({})],
    get_heuristic_config=lambda name: {"BLOCK_M": lambda args: 4, "BLOCK_N": lambda args: 4})
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.runtime", **runtime)
put("flag_gems.utils", libentry=lambda: lambda kernel: kernel, triton_lang_extension=tl,
    tl_extra_shim=types.SimpleNamespace(rsqrt=lambda x: 1 / tl.sqrt(x)))
from flag_gems.ops.batch_norm import batch_norm
x = torch.arange(1.0, 13.0).view(2, 2, 3)
given = x.clone()
batch_norm(given, training=True)
print("the input was", x.flatten().tolist(), "and is", given.flatten().tolist())
sys.exit(not torch.equal(given, x))
