# fla-core 0.6.0, logsumexp_fwd: x is of any shape by its documentation, and one dim raises: z.view() of no sizes is
# refused. Exits 1 while the bug is there, 0 when it is gone, 2 without fla-core: EAGERDIFF_FLA=/folder/that/holds/fla
# (with einops).
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
    from fla.ops.utils.logsumexp import logsumexp_fwd
except ImportError as error:
    sys.exit(print(f"needs fla-core: {error}") or 2)
x = torch.randn(8)
try:
    found = logsumexp_fwd(x)
except TypeError as error:
    sys.exit(print(f"raises {str(error).splitlines()[0]!r}") or 1)
sys.exit(not torch.allclose(found, x.logsumexp(-1)))
