# flag_gems 5.0.2, kron of two four-dimensional tensors: the kernel that finds which matrices belong together stores for
# 256 products without a mask, into a tensor of as many as there are. Of 1 product, 510 numbers are written past its end.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/kron.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/kron.py") or 2)
import torch, triton, triton.language as tl
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()),
    get_tuned_config=lambda name: [triton.Config({"BLOCK_M": 1, "BLOCK_N": 1024})])
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.runtime", **runtime)
put("flag_gems.utils", triton_lang_extension=tl)
from flag_gems.ops.kron import kron
empty, room = torch.empty, torch.full((2048,), -1)
torch.empty = lambda *size, **given: room[: size[0]] if len(size) == 1 and isinstance(size[0], int) else empty(*size, **given)
kron(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
past = (room[2:] != -1).sum().item()
print(past, "numbers written past the end of 2")
sys.exit(past > 0)
