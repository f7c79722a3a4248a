# fla-core 0.6.0, prepare_chunk_indices and all else under @tensor_cache: results are kept by which tensor is given, not
# by what it holds. Where cu_seqlens is a buffer that is written anew, as one is for CUDA graphs, the chunks of the old
# lengths are used in silence: here mean_pooling returns 2 chunks where there are 3. Exits 1 while the bug is there, 0
# when it is gone, 2 without fla-core: EAGERDIFF_FLA=/folder/that/holds/fla (with einops).
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
    from fla.ops.utils.pooling import mean_pooling
except ImportError as error:
    sys.exit(print(f"needs fla-core: {error}") or 2)
x = torch.arange(8.0).view(1, 8, 1, 1)
cu_seqlens = torch.tensor([0, 4, 8])
mean_pooling(x, 4, cu_seqlens)
cu_seqlens.copy_(torch.tensor([0, 2, 8]))
found = mean_pooling(x, 4, cu_seqlens).flatten().tolist()
print(f"{found} where [0.5, 3.5, 6.5] is right")
sys.exit(found != [0.5, 3.5, 6.5])
