# fla-core 0.6.0, matmul(a, b, activation="tanh"): (e^x - e^-x) / (e^x + e^-x) is infinity by infinity from x = 89 on,
# so that NaN stands where tanh is 1. Exits 1 while the bug is there, 0 when it is gone, 2 without fla-core:
# EAGERDIFF_FLA=/folder/that/holds/fla (with einops).
import contextlib, os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
from triton.backends.compiler import GPUTarget
target, benchmark = GPUTarget("cpu", 0, 32), lambda call, **options: [1.0, 1.0, 1.0]  # the first configuration is taken
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: target, get_benchmarker=lambda: benchmark))
torch.cuda.device = lambda device: contextlib.nullcontext()
sys.path.insert(0, root := os.environ.get("EAGERDIFF_FLA", "."))
for name in ("fla.ops", "fla.modules"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
try:
    from fla.ops.utils.matmul import matmul
except ImportError as error:
    sys.exit(print(f"needs fla-core: {error}") or 2)
a, b = torch.full((16, 16), 10.0), torch.eye(16) * 10.0
found, right = matmul(a, b, activation="tanh"), torch.tanh(a @ b)
print(f"{found[0, 0]} where {right[0, 0]} is right")
sys.exit(not torch.allclose(found, right))
