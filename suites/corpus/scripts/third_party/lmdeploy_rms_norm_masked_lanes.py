# lmdeploy 0.18.0, rms_norm and add_rms_norm: lanes past the width are masked out without `other`, so that what they
# hold is undefined (Triton's tl.load), and their squares are summed with the rest. Here masked lanes are NaN: so is the
# result, where the width is no power of two. rms_norm_dynamic_quant does the same.
# Exits 1 while the bug is there, 0 when it is gone, 2 without lmdeploy: EAGERDIFF_LMDEPLOY=/folder/that/holds/lmdeploy.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_LMDEPLOY", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
for name in ("lmdeploy", "lmdeploy.pytorch", "lmdeploy.pytorch.kernels", "lmdeploy.pytorch.kernels.cuda",
             "lmdeploy.pytorch.kernels.default"):
    put(name)
put("lmdeploy.pytorch.kernels.cuda.utils", get_device_props=lambda index: dict(
    multi_processor_count=4, warps_per_sm=64, blocks_per_sm=32))
try:
    from lmdeploy.pytorch.kernels.cuda.rms_norm import rms_norm
except ImportError as error:
    sys.exit(print(f"needs lmdeploy: {error}") or 2)
import torch
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
x, weight = torch.randn(3, 10), torch.randn(10)
error = (rms_norm(x, weight) - torch.nn.functional.rms_norm(x, (10,), weight, 1e-6)).abs().max().item()
print(f"error {error}")
sys.exit(not error < 1e-4)
