# sageattention 1.0.6, quant_per_block (and _hd96, _varlen): rows past the last are masked out without `other`, so that what
# they hold is undefined (Triton's tl.load), and the scale of the block is the largest of all its lanes. Here masked lanes
# are 1000: so is the scale, where the number of rows is no multiple of 128 (of 64 for keys). Exits 1 while the bug is
# there, 0 when it is gone, 2 without sageattention: EAGERDIFF_SAGEATTENTION=/folder/that/holds/sageattention.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_SAGEATTENTION", "."))
try:
    from sageattention.quant_per_block import per_block_int8
except ImportError as error:
    sys.exit(print(f"needs sageattention: {error}") or 2)
import numpy, torch
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    element = ptrs.get_element_ty()
    if other is None and element.is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, 1000, "float16"), element)
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
keys = torch.ones(1, 1, 10, 64).half()
scale = per_block_int8(keys, keys)[3].item()
print(f"scale {scale} where {1 / 127} is right")
sys.exit(not abs(scale - 1 / 127) < 1e-4)
