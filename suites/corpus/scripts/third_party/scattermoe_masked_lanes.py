# scattermoe 0.3, scatter2scatter: rows of other experts are masked out of x without `other`, so that what they hold is
# undefined (Triton's tl.load), and multiplied into their sums all the same. Here masked lanes are NaN: so is the result.
# Exits 1 while the bug is there, 0 when it is gone, 2 without scattermoe: EAGERDIFF_SCATTERMOE=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_SCATTERMOE", "."))
try:
    from scattermoe.kernels.ops import scatter2scatter
except ImportError as error:
    sys.exit(print(f"needs scattermoe: {error}") or 2)
import numpy, torch
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    element = ptrs.get_element_ty()
    if other is None and element.is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, numpy.nan, "float16"), element)
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
torch.manual_seed(0)
x, weights = torch.randn(2, 32).half(), torch.randn(2, 32, 128).half()  # whole tiles: nothing but rows is masked
experts = torch.tensor([0, 1])  # a block of two experts
found = scatter2scatter(x, weights, experts, torch.tensor([0, 1]), 1).float()
error = (found - torch.bmm(x[:, None].float(), weights.float())[:, 0]).abs().max().item()
print(f"error {error}")
sys.exit(not error < 0.1)
