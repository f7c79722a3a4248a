# fla-core 0.6.0, addmm(x, a, b, alpha, beta): alpha and beta are numbers by their annotation, as for torch.addmm, but
# the kernel loads them from memory, which a number has not. Exits 1 while the bug is there, 0 when it is gone, 2
# without fla-core: EAGERDIFF_FLA=/folder/that/holds/fla (with einops).
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
    from fla.ops.utils.matmul import addmm
except ImportError as error:
    sys.exit(print(f"needs fla-core: {error}") or 2)
torch.manual_seed(0)
x, a, b = torch.randn(8, 8), torch.randn(8, 8), torch.randn(8, 8)
try:
    found = addmm(x, a, b, alpha=2.0, beta=0.5)
except Exception as error:  # of Triton, by its release
    sys.exit(print(f"raises {str(error.__cause__ or error).strip().splitlines()[-1][:200]!r}") or 1)
sys.exit(not torch.allclose(found, torch.addmm(x, a, b, alpha=2.0, beta=0.5), atol=1e-3))
