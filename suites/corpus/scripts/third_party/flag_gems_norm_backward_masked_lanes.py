# flag_gems 5.0.2, backward of batch_norm, layer_norm, instance_norm and log_softmax, weight_norm, and conv1d to conv3d (whose
# padding is such lanes): lanes past the end are masked out without `other`, so that what they hold is undefined (Triton's
# tl.load), and are summed with the rest. Here masked lanes are NaN: so are the gradients of batch_norm. Exits 1 while the
# bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/batch_norm.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/batch_norm.py") or 2)
import numpy, torch, triton, triton.language as tl
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
runtime = dict(torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()),
    get_tuned_config=lambda name: [triton.Config({})],
    get_heuristic_config=lambda name: {"BLOCK_M": lambda args: 4, "BLOCK_N": lambda args: 4})
put("flag_gems", root, runtime=types.SimpleNamespace(**runtime))
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.runtime", **runtime)
put("flag_gems.utils", libentry=lambda: lambda kernel: kernel, triton_lang_extension=tl,
    tl_extra_shim=types.SimpleNamespace(rsqrt=lambda x: 1 / tl.sqrt(x)))
from flag_gems.ops.batch_norm import batch_norm_backward
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    element = ptrs.get_element_ty()
    if other is None and element.is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, numpy.nan, "float32"), element)
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
torch.manual_seed(0)
x, weight, grad = torch.randn(2, 2, 3), torch.randn(2), torch.randn(2, 2, 3)
_, mean, inverse = torch.native_batch_norm(x, weight, weight, None, None, True, 0.1, 1e-5)
given = x, weight, None, None, mean, inverse, True, 1e-5, [True, True, True]
found = batch_norm_backward(grad, *given)
right = torch.ops.aten.native_batch_norm_backward(grad, *given)
error = max((a - b).abs().max().item() for a, b in zip(found, right))
print(f"error {error}, NaN {[one.isnan().sum().item() for one in found]}")
sys.exit(any(not torch.allclose(a, b, atol=1e-4) for a, b in zip(found, right)))
