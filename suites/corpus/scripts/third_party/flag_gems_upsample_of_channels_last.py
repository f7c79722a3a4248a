# flag_gems 5.0.2, upsample_nearest2d: the image is read as contiguous, and nothing makes it so. Of one in channels_last,
# which torch's own convolutions give, the result is that of other pixels.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/upsample_nearest2d.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/upsample_nearest2d.py") or 2)
import torch, triton
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()),
    device=types.SimpleNamespace(name="cpu"), get_tuned_config=lambda name: [triton.Config({"BLOCK_SIZE": 1024})],
    get_heuristic_config=lambda name: {"SAME_H": lambda given: given["OH"] == given["IH"],
        "SAME_W": lambda given: given["OW"] == given["IW"], "USE_INT32_IDX": lambda given: True})
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.runtime", **runtime)
from flag_gems.ops.upsample_nearest2d import upsample_nearest2d
x = torch.arange(8.0).view(1, 2, 2, 2).to(memory_format=torch.channels_last)
found, right = upsample_nearest2d(x, (2, 2)).flatten().tolist(), x.flatten().tolist()
print(found, "in place of", right)
sys.exit(found != right)
