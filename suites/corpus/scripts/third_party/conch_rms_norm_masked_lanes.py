# conch 1.3, rms_norm, fused_add_rms_norm and gemma_rms_norm: lanes past the hidden size are masked out without
# `other`, so that what they hold is undefined (Triton's tl.load), and their squares are summed with the rest. Here
# masked lanes are NaN: so is the result, where the hidden size is no power of two. Exits 1 while the bug is there, 0
# when it is gone, 2 without conch: EAGERDIFF_CONCH=/folder/that/holds/conch.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_CONCH", "."))
try:
    from conch.kernels.normalization.rms_norm import rms_norm_launcher
except ImportError as error:
    sys.exit(print(f"needs conch: {error}") or 2)
import numpy, torch
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
found = torch.empty_like(x)
rms_norm_launcher(found, x, weight, 1e-6)
error = (found - torch.nn.functional.rms_norm(x, (10,), weight, 1e-6)).abs().max().item()
print(f"error {error}")
sys.exit(not error < 1e-4)
