# fla-core 0.6.0, backward of rms_norm_gated and layer_norm_gated (and of layernorm.py): lanes of the weight past the
# width are masked out without `other`, so that what they hold is undefined (Triton's tl.load), and they are summed with
# the rest, multiplied by 0, which an infinity or NaN survives. Here masked lanes are NaN: so is the gradient of x,
# where the width is no power of two. Exits 1 while the bug is there, 0 when it is gone, 2 without fla-core:
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
    from fla.modules.norm.fused_norm_gate import rms_norm_gated
except ImportError as error:
    sys.exit(print(f"needs fla-core: {error}") or 2)
import numpy
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    element = ptrs.get_element_ty()
    if other is None and element.is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, numpy.nan, "float32"), element)
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
torch.manual_seed(0)
x, gate, weight = torch.randn(2, 3, requires_grad=True), torch.randn(2, 3), torch.randn(3)
rms_norm_gated(x, gate, weight, None).sum().backward()
found, x.grad = x.grad, None
(torch.nn.functional.rms_norm(x, (3,), weight, 1e-6) * torch.nn.functional.silu(gate)).sum().backward()
error = (found - x.grad).abs().max().item()
print(f"error {error}")
sys.exit(not error < 1e-4)
