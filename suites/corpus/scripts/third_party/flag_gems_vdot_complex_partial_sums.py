# flag_gems 5.0.2, vdot of complex numbers: each program stores a real and an imaginary sum, and there is room for one number
# a program: half of them are written, and read again, behind the partial sums. Exits 1 while the bug is there, 0 when it is
# gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/vdot.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/vdot.py") or 2)
import torch
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
put("flag_gems", root, runtime=types.SimpleNamespace(get_heuristic_config=lambda name: {"BLOCK_SIZE": lambda args: 16}))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.utils", libentry=lambda: lambda kernel: kernel)
from flag_gems.ops.vdot import vdot
memory = []
def with_more(size, **options):
    size = torch.Size([size] if isinstance(size, int) else size).numel()
    memory.append((torch.full((size + 64,), 7.0), size))
    return memory[-1][0][:size]
torch.manual_seed(0)
x, y = torch.randn(2, 60, dtype=torch.complex64)
torch.empty = with_more
found = vdot(x, y)
behind = sum((one[size:] != 7).sum().item() for one, size in memory)
print(f"{behind} numbers are written behind what was allocated for them; error {abs(found - torch.vdot(x, y)).item():.1e}")
sys.exit(behind > 0)
