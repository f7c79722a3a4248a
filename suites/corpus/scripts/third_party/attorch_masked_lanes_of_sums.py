# attorch at 67c2772, linear, 2D convolution and batch norm: lanes past the last feature (or row) are loaded under a mask
# without `other`, so that what they hold is undefined (Triton's tl.load), and are multiplied or summed with the rest.
# Here masked lanes are NaN, and so are the results.
# Exits 1 while the bug is there, 0 when it is gone, 2 without attorch: EAGERDIFF_ATTORCH=/folder/that/holds/attorch.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.environ.get("EAGERDIFF_ATTORCH", ".")
if not os.path.exists(f"{root}/attorch/utils.py"):
    sys.exit(print(f"needs attorch: no {root}/attorch/utils.py") or 2)
sys.modules["attorch"] = types.ModuleType("attorch")  # without what its __init__ imports
sys.modules["attorch"].__path__ = [f"{root}/attorch"]
import numpy, torch, triton
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
torch.cuda.get_device_capability = lambda *device: (7, 5)
class First:  # of the configurations: there is nothing to time
    def __init__(self, kernel, configs):
        self.kernel, self.options = kernel, configs[0].kwargs
    def __getitem__(self, grid):
        whole = lambda given: grid({**given, **self.options}) if callable(grid) else grid
        return lambda *args, **given: self.kernel[whole](*args, **given, **self.options)
triton.autotune = lambda configs, **_: lambda kernel: First(kernel, configs)
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    if other is None and ptrs.get_element_ty().is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, numpy.nan, "float32"), ptrs.get_element_ty())
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
from attorch.batch_norm_layer import BatchNormAutoGrad
from attorch.conv_layer import Conv2dAutoGrad
from attorch.linear_layer import LinearAutoGrad
import torch.nn.functional as F
torch.manual_seed(0)
x, w, image, k, rows, one = *map(torch.randn, [(3, 5), (5, 3), (1, 5, 4, 4), (3, 5, 2, 2), (3, 4, 5)]), torch.ones(4)
normed = BatchNormAutoGrad.apply(rows, True, one, one, None, None, 0.1, 1e-5, False, torch.zeros(3, 4, 5))
found = [(LinearAutoGrad.apply(x, w), x @ w), (Conv2dAutoGrad.apply(image, k, None, 1, 1, 0, 0, 1), F.conv2d(image, k)),
         (normed, F.batch_norm(rows, None, None, one, one, True))]
print([(got - wanted).abs().max().item() for got, wanted in found])
sys.exit(not all(torch.allclose(got, wanted, atol=1e-4) for got, wanted in found))
