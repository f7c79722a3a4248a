# mamba_ssm 2.3.2.post1, layer_norm_fn and rms_norm_fn of layer_norm.py with residual= or x1= in half precision: mean
# and 1/std kept for the backward pass are of the float32 sum, and the x that is kept is that sum rounded to the dtype
# of the residual, so that of a flat row (of width 1, or of equal numbers) x - mean is what was rounded off, times
# 1/sqrt(eps): gradients of x and weight are 0 in torch and in its own layer_norm_ref, and are not here, silently.
# Exits 1 while the bug is there, 0 when it is gone, 2 without mamba_ssm:
# EAGERDIFF_MAMBA_SSM=/folder/that/holds/mamba_ssm (with einops).
import contextlib, os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
from triton.backends.compiler import GPUTarget
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: GPUTarget("cuda", 90, 32)))
triton.runtime.Autotuner._bench = lambda *args, **options: [1.0, 1.0, 1.0]  # the first configuration is taken
torch.cuda.device = lambda device: contextlib.nullcontext()
sys.path.insert(0, root := os.environ.get("EAGERDIFF_MAMBA_SSM", "."))
for name in ("mamba_ssm", "mamba_ssm.ops", "mamba_ssm.ops.triton"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
try:
    from mamba_ssm.ops.triton.layer_norm import layer_norm_fn, layer_norm_ref
except ImportError as error:
    sys.exit(print(f"needs mamba_ssm: {error}") or 2)
torch.cuda.get_device_properties = lambda device: types.SimpleNamespace(multi_processor_count=2)
def gradients(norm, width):
    x, residual = torch.full((4, width), 0.1).half().requires_grad_(), torch.ones(4, width).half()
    weight, bias = torch.ones(width).half().requires_grad_(), torch.zeros(width).half()
    return torch.autograd.grad(norm(x, weight, bias, residual, eps=1e-5).sum(), [x, weight])
worst = 0
for width in (1, 64):
    got, want = gradients(layer_norm_fn, width), gradients(layer_norm_ref, width)
    errors = [(one - other).abs().max().item() for one, other in zip(got, want)]
    print(f"width {width}: errors of the gradients of x and weight", errors)
    worst = max(worst, *errors)
sys.exit(not worst < 1e-3)
