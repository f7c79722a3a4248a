# flag_gems 5.0.2, fill_ and zero_ on Hopper: the kernel fills as many elements as a view has from its first one on,
# however they lie. A column that is filled leaves itself as it was, and the first row is lost.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
hopper = f"{root}/runtime/backend/_nvidia/hopper/ops"
if not os.path.exists(f"{hopper}/fill.py"):
    sys.exit(print(f"needs flag_gems: no {hopper}/fill.py") or 2)
import torch
def put(name, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes)
put("flag_gems")
put("flag_gems.runtime", torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()))
sys.path.insert(0, hopper)
from fill import fill_scalar_
x = torch.arange(12.0).view(3, 4)
fill_scalar_(x[:, 0], -1.0)
print(x.tolist())
sys.exit(x.tolist() != [[-1.0, 1.0, 2.0, 3.0], [-1.0, 5.0, 6.0, 7.0], [-1.0, 9.0, 10.0, 11.0]])
