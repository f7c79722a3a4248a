# generative_recommenders db1bf8f2, backward of triton_layer_norm: the gradient that comes in is read as if its columns
# lay side by side, which that of a sum does not (one number, expanded: strides of 0): numbers behind it are read, out
# of bounds. Here NaN stands there. Exits 1 while the bug is there, 0 when it is gone, 2 without
# generative_recommenders: EAGERDIFF_GENERATIVE_RECOMMENDERS=/folder/that/holds/generative_recommenders.
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
    from generative_recommenders.ops.triton.triton_layer_norm import triton_layer_norm
except ImportError as error:
    sys.exit(print(f"needs generative_recommenders: {error}") or 2)
torch.cuda.get_device_properties = lambda *device: types.SimpleNamespace(multi_processor_count=2)
torch.manual_seed(0)
x, weight, bias = torch.randn(8, 8), torch.randn(8), torch.randn(8, requires_grad=True)
one = torch.tensor([1.0] + [torch.nan] * 1000)[0]  # what sum().backward() gives, with NaN behind it
triton_layer_norm(x, weight, bias, 1e-5).backward(one.expand(8, 8))
print(f"{bias.grad.tolist()} where 8 is right")
sys.exit(not torch.equal(bias.grad, torch.full((8,), 8.0)))
