# flash-attn at 0251105 (and 2.8.3), layer_norm_fn and rms_norm_fn with residual_out=: a buffer that is given is set to
# None (`else: residual_out = None` of _layer_norm_fwd), so that the sum is stored nowhere: with prenorm=True what comes
# back as the new residual is x instead of x + residual, and the backward pass normalises x. Any size shows it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flash-attn: EAGERDIFF_FLASH_ATTN=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLASH_ATTN", "."), "flash_attn")
if not os.path.exists(f"{root}/ops/triton/layer_norm.py"):
    sys.exit(print(f"needs flash-attn: no {root}/ops/triton/layer_norm.py") or 2)
import torch, triton
for name in ("flash_attn", "flash_attn.ops", "flash_attn.ops.triton", "flash_attn.utils"):
    sys.modules[name] = types.ModuleType(name)  # packages without what their __init__ runs
    sys.modules[name].__path__ = [os.path.join(root, *name.split(".")[1:])]
if not torch.cuda.is_available():  # what the module asks of a GPU
    torch.cuda.current_device = lambda: 0
    torch.cuda.get_device_properties = lambda *_: types.SimpleNamespace(multi_processor_count=1, warp_size=32)
    torch.cuda.device = lambda _: contextlib.nullcontext()
triton.autotune = lambda **_: lambda kernel: kernel  # nothing to time
torch.library.wrap_triton = lambda kernel: kernel
from flash_attn.ops.triton.layer_norm import layer_norm_fn
x, residual = torch.randn(2, 2, 8).unbind()
weight, bias = torch.ones(8), torch.zeros(8)
_, total = layer_norm_fn(x, weight, bias, residual, prenorm=True, residual_out=torch.empty(2, 8))
print("is x + residual:", torch.allclose(total, x + residual), " is x:", torch.equal(total, x))
sys.exit(not torch.allclose(total, x + residual))
