# fla-core 0.6.0, token_shift(x, cu_seqlens, cache, output_cache=True): of a sequence without tokens no program writes
# the new cache, nor the gradient of the old one: both are what the allocation held. Here that is NaN. Exits 1 while the
# bug is there, 0 when it is gone, 2 without fla-core: EAGERDIFF_FLA=/folder/that/holds/fla (with einops).
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
    from fla.modules.token_shift import token_shift
except ImportError as error:
    sys.exit(print(f"needs fla-core: {error}") or 2)
empty, empty_like = torch.empty, torch.empty_like
torch.empty = lambda *size, **options: empty(*size, **options).fill_(torch.nan)
torch.manual_seed(0)
x, cache = torch.randn(1, 3, 4), torch.randn(2, 4, requires_grad=True)
_, last = token_shift(x, torch.tensor([0, 3, 3]), cache, output_cache=True)
last.sum().backward()
print(f"the new cache of the empty sequence {last[1].tolist()}, the old one's gradient {cache.grad[1].tolist()}")
sys.exit(not (torch.equal(last[1], cache[1]) and bool((cache.grad[1] == 1).all())))
