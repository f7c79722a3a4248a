# fla-core 0.6.0, logcumsumexp_fwd_kernel (of ABC attention): rows past the last token are read as 0, and the maximum of
# a chunk is taken over them too. Where every score of the last chunk is far below 0, the exponentials of all vanish
# against that 0, and -46 + 0 (the logarithm of 1e-20) is the result in silence. Exits 1 while the bug is there, 0 when
# it is gone, 2 without fla-core: EAGERDIFF_FLA=/folder/that/holds/fla (with einops).
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
    from fla.ops.utils.logcumsumexp import logcumsumexp_fwd_kernel
except ImportError as error:
    sys.exit(print(f"needs fla-core: {error}") or 2)
x = torch.full((1, 3, 16), -200.0)
found = torch.empty_like(x)
logcumsumexp_fwd_kernel[(1,)](x, found, 3, 16)
right = x.logcumsumexp(1)
print(f"{found[0, :, 0].tolist()} where {right[0, :, 0].tolist()} is right")
sys.exit(not torch.allclose(found, right))
