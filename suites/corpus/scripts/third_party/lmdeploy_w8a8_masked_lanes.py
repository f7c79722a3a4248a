# lmdeploy 0.18.0, matmul_kernel_dynamic_quant: what is past the inner size of both matrices is masked out with
# other=None, so that it is undefined (Triton's tl.load), and its products are added to the sums. Here masked lanes are
# 77: the product is wrong wherever 128 does not divide the inner size.
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
    from lmdeploy.pytorch.kernels.cuda import w8a8_triton_kernels as kernels
except ImportError as error:
    sys.exit(print(f"needs lmdeploy: {error}") or 2)
import torch
import numpy
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    element = ptrs.get_element_ty()
    if other is None and not element.is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, 77, "int8"), element)
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
kernels._linear.configs = kernels._linear.configs[:1]
a, b = torch.full((2, 10), 3, dtype=torch.int8), torch.full((2, 10), 5, dtype=torch.int8)
one = torch.ones(2, 1)
found = kernels.matmul_kernel_dynamic_quant(a, b, one, one, output_dtype=torch.float32)
print(found.tolist(), "in place of", 150.0)
sys.exit(not bool((found == 150).all()))
