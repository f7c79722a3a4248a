# flag_gems 5.0.2, mul on Hopper: of tensors with as many dims as each other the kernel multiplies as many elements as
# the first one has, in the order of memory. What is to be broadcast is read past its end, and the result has the
# first one's shape; strides and the result's dtype are not asked for either.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
hopper = f"{root}/runtime/backend/_nvidia/hopper/ops"
if not os.path.exists(f"{hopper}/mul.py"):
    sys.exit(print(f"needs flag_gems: no {hopper}/mul.py") or 2)
import torch
def put(name, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes)
put("flag_gems")
put("flag_gems.runtime", torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()))
put("flag_gems.utils", pointwise_dynamic=lambda **_: lambda kernel: lambda x, y: x * y)  # which is right
sys.path.insert(0, hopper)
from mul import mul
x, rows = torch.arange(1.0, 7.0).view(2, 3), torch.arange(1.0, 7.0)[:2].view(2, 1)  # there is memory behind the rows
found, turned = mul(x, rows), mul(x.T, x.T.contiguous())
print(found.tolist(), turned.tolist())
sys.exit(not torch.equal(found, x * rows) or not torch.equal(turned, x.T * x.T))
