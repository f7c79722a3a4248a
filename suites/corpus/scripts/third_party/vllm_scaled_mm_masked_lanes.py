# vLLM 0.33.0, triton_scaled_mm: what is past the inner size of both matrices is masked out without `other`, so that it
# is undefined (Triton's tl.load), and its products are added to the sums. Here masked lanes are 77: the product is wrong
# wherever the block (256, 128) does not divide the inner size.
# Exits 1 while the bug is there, 0 when it is gone, 2 without vLLM's source: EAGERDIFF_VLLM=/folder/that/holds/vllm.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_VLLM", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
import torch, triton, triton.language as tl
folder = "vllm.model_executor.layers.quantization.compressed_tensors"
names = folder.split(".")
for count in range(1, len(names) + 1):
    put(".".join(names[:count]))
put("vllm.triton_utils", tl=tl, triton=triton, use_tensor_descriptor=lambda asked: False)
put("vllm.triton_utils.allocation", set_triton_allocator=None)
try:
    from vllm.model_executor.layers.quantization.compressed_tensors.triton_scaled_mm import triton_scaled_mm
except ImportError as error:
    sys.exit(print(f"needs vLLM's source: {error}") or 2)
import numpy
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    element = ptrs.get_element_ty()
    if other is None and not element.is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, 77, "int8"), element)
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
a, b = torch.full((2, 10), 3, dtype=torch.int8), torch.full((10, 2), 5, dtype=torch.int8)
one = torch.ones(2, 1)
found = triton_scaled_mm(a, b, one, one, torch.float32)
print(found.tolist(), "in place of", 150.0)
sys.exit(not bool((found == 150).all()))
