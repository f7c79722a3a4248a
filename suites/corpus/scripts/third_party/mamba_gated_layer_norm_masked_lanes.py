# mamba_ssm 2.3.2.post1, layernorm_fn(…, norm_before_gate=False): lanes of z past the width are masked out without
# `other`, so that what they hold is undefined (Triton's tl.load), and silu(z) · x goes into the mean with the rest.
# Here masked lanes are NaN: so is the result, where the width is no power of two. Exits 1 while the bug is there, 0
# when it is gone, 2 without mamba_ssm: EAGERDIFF_MAMBA_SSM=/folder/that/holds/mamba_ssm (with einops).
import contextlib, os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
from triton.backends.compiler import GPUTarget
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: GPUTarget("cuda", 90, 32)))
torch.cuda.device = lambda device: contextlib.nullcontext()
sys.path.insert(0, root := os.environ.get("EAGERDIFF_MAMBA_SSM", "."))
for name in ("mamba_ssm", "mamba_ssm.ops", "mamba_ssm.ops.triton"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
try:
    from mamba_ssm.ops.triton.layernorm_gated import layernorm_fn
except ImportError as error:
    sys.exit(print(f"needs mamba_ssm: {error}") or 2)
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
x, z, weight, bias = torch.randn(2, 3), torch.randn(2, 3), torch.randn(3), torch.randn(3)
found = layernorm_fn(x, weight, bias, z, 1e-6, norm_before_gate=False)
right = torch.nn.functional.layer_norm(x * torch.nn.functional.silu(z), (3,), weight, bias, 1e-6)
error = (found - right).abs().max().item()
print(f"error {error}")
sys.exit(not error < 1e-4)
