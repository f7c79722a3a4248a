# flash-attn at 0251105, backward of layer_norm_fn, rms_norm_fn and layer_norm_linear_fn: lanes of weight and weight1
# past the width are loaded under a mask without `other`, so that what they hold is undefined (Triton's tl.load), and
# are summed with the rest, multiplied by 0, which an infinity or NaN survives. Here masked lanes are NaN: so is the
# gradient of x, where the width is no power of two.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flash-attn: EAGERDIFF_FLASH_ATTN=/folder/that/holds/it.
import contextlib, os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.path.join(os.environ.get("EAGERDIFF_FLASH_ATTN", "."), "flash_attn")
if not os.path.exists(f"{root}/ops/triton/layer_norm.py"):
    sys.exit(print(f"needs flash-attn: no {root}/ops/triton/layer_norm.py") or 2)
import numpy, torch, triton
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
for name in ("flash_attn", "flash_attn.ops", "flash_attn.ops.triton", "flash_attn.utils"):
    sys.modules[name] = types.ModuleType(name)  # packages without what their __init__ runs
    sys.modules[name].__path__ = [os.path.join(root, *name.split(".")[1:])]
torch.cuda.current_device = lambda: 0  # what the module asks of a GPU
torch.cuda.get_device_properties = lambda *_: types.SimpleNamespace(multi_processor_count=1, warp_size=32)
torch.cuda.device = lambda _: contextlib.nullcontext()
triton.autotune = lambda **_: lambda kernel: kernel  # nothing to time
torch.library.wrap_triton = lambda kernel: kernel
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    if other is None and ptrs.get_element_ty().is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, numpy.nan, "float32"), ptrs.get_element_ty())
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
from flash_attn.ops.triton.layer_norm import layer_norm_fn
torch.manual_seed(0)
x, (w, b) = torch.randn(2, 3, requires_grad=True), torch.randn(2, 3).unbind()
x1, (w1, b1), scale = torch.randn(2, 3), torch.randn(2, 3).unbind(), torch.randn(2, 3)
one, two = layer_norm_fn(x, w, b, eps=1e-5), layer_norm_fn(x, w, b, None, x1, w1, b1, eps=1e-5)
norm = lambda x, w, b: torch.nn.functional.layer_norm(x, (3,), w, b)
wanted = [(norm(x, w, b),), (norm(x + x1, w, b), norm(x + x1, w1, b1))]
grad = lambda ends: torch.autograd.grad([*ends], x, [scale for _ in ends])[0]
errors = [(grad(got) - grad(want)).abs().max().item() for got, want in zip([(one,), two], wanted)]
print("errors of the gradient of x, one weight and two:", errors)
sys.exit(not all(error < 1e-4 for error in errors))
