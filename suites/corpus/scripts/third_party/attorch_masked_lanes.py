# attorch at 67c2772, layer norm, RMS norm, NLL loss and the p-losses: lanes past a row's end are loaded under a mask
# without `other`, so that what they hold is undefined (Triton's tl.load), and are summed with the rest: where the width
# is no power of 2, the elements do not fill a block. Here masked lanes are NaN, and so are the results.
# Exits 1 while the bug is there, 0 when it is gone, 2 without attorch: EAGERDIFF_ATTORCH=/folder/that/holds/attorch.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.environ.get("EAGERDIFF_ATTORCH", ".")
if not os.path.exists(f"{root}/attorch/utils.py"):
    sys.exit(print(f"needs attorch: no {root}/attorch/utils.py") or 2)
sys.modules["attorch"] = types.ModuleType("attorch")  # without what its __init__ imports
sys.modules["attorch"].__path__ = [f"{root}/attorch"]
import torch, triton
class First:  # of the configurations: there is nothing to time
    def __init__(self, kernel, configs):
        self.kernel, self.options, self.best_config = kernel, configs[0].kwargs, configs[0]
    def __getitem__(self, grid):
        whole = lambda given: grid({**given, **self.options}) if callable(grid) else grid
        return lambda *args, **given: self.kernel[whole](*args, **given, **self.options)
triton.autotune = lambda configs, **_: lambda kernel: First(kernel, configs)
import numpy
from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
load = InterpreterBuilder.create_masked_load
def load_masked(self, ptrs, mask, other, *options):
    element = ptrs.get_element_ty()
    if other is None and element.is_floating():
        other = TensorHandle(numpy.full(ptrs.data.shape, numpy.nan, "float32"), element)
    return load(self, ptrs, mask, other, *options)
InterpreterBuilder.create_masked_load = load_masked
from attorch.layer_norm_layer import LayerNormAutoGrad
from attorch.p_loss_layers import PLossAutoGrad
from attorch.rms_norm_layer import RMSNormAutoGrad
torch.manual_seed(0)
x, target, weight = torch.randn(3, 10), torch.randn(3, 10), torch.ones(10)
found = {
    "layer_norm": (LayerNormAutoGrad.apply(x, weight, None, 1e-5), torch.nn.functional.layer_norm(x, (10,))),
    "rms_norm": (RMSNormAutoGrad.apply(x, weight, 1e-6), torch.nn.functional.rms_norm(x, (10,), None, 1e-6)),
    "mse_loss": (PLossAutoGrad.apply(x, target, 2, "mean"), torch.nn.functional.mse_loss(x, target)),
}
print({name: (one - wanted).abs().max().item() for name, (one, wanted) in found.items()})
sys.exit(not all(torch.allclose(one, wanted, atol=1e-5) for one, wanted in found.values()))
