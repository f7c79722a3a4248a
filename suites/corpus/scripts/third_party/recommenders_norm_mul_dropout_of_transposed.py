# generative_recommenders db1bf8f2, triton_norm_mul_dropout: x is copied where its columns do not lie side by side, u is
# not, and is read as if they did: wrong values in silence where u is transposed. Exits 1 while the bug is there, 0 when
# it is gone, 2 without generative_recommenders:
# EAGERDIFF_GENERATIVE_RECOMMENDERS=/folder/that/holds/generative_recommenders.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
from triton.backends.compiler import GPUTarget
target = GPUTarget("cpu", 0, 32)
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: target))
triton.runtime.Autotuner._bench = lambda *args, **options: [1.0, 1.0, 1.0]  # the first configuration is taken
sys.path.insert(0, root := os.environ.get("EAGERDIFF_GENERATIVE_RECOMMENDERS", "."))
for name in ("generative_recommenders", "generative_recommenders.ops", "generative_recommenders.ops.triton"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import triton.language.extra.libdevice as libdevice
import triton.language as tl
libdevice.rsqrt = lambda x: 1 / tl.sqrt(x)
try:
    from generative_recommenders.ops.triton.triton_hstu_linear import triton_norm_mul_dropout
except ImportError as error:
    sys.exit(print(f"needs generative_recommenders: {error}") or 2)
torch.cuda.get_device_properties = lambda *device: types.SimpleNamespace(multi_processor_count=2)
torch.manual_seed(0)
x, u, weight, bias = torch.randn(8, 8), torch.randn(8, 8).t(), torch.randn(8), torch.randn(8)
found = triton_norm_mul_dropout(x, u, weight, bias, 1e-5, 0.0, False)
error = (found - u * torch.nn.functional.layer_norm(x, (8,), weight, bias, 1e-5)).abs().max().item()
print(f"error {error}")
sys.exit(not error < 1e-3)
