# attorch at 67c2772: Linear takes an input of shape [..., in_feat_dim] by its documentation, and raises IndexError where
# no dim leads, as nn.Linear does not: `flatten(0, -2)` needs two dims.
# Exits 1 while the bug is there, 0 when it is gone, 2 without attorch: EAGERDIFF_ATTORCH=/folder/that/holds/attorch.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.environ.get("EAGERDIFF_ATTORCH", ".")
if not os.path.exists(f"{root}/attorch/utils.py"):
    sys.exit(print(f"needs attorch: no {root}/attorch/utils.py") or 2)
sys.modules["attorch"] = types.ModuleType("attorch")  # without what its __init__ imports
sys.modules["attorch"].__path__ = [f"{root}/attorch"]
import torch, triton
torch.cuda.get_device_capability = lambda *device: (7, 5)
class First:  # of the configurations: there is nothing to time
    def __init__(self, kernel, configs):
        self.kernel, self.options = kernel, configs[0].kwargs
    def __getitem__(self, grid):
        return lambda *args, **given: self.kernel[grid({**given, **self.options})](*args, **given, **self.options)
triton.autotune = lambda configs, **_: lambda kernel: First(kernel, configs)
from attorch.linear_layer import LinearAutoGrad
x, weight, bias = torch.randn(32), torch.randn(32, 32), torch.randn(32)
wanted = torch.nn.functional.linear(x, weight.T, bias)
try:
    found = LinearAutoGrad.apply(x, weight, bias)
except IndexError as error:
    print(f"{list(x.shape)}: IndexError: {error}")
    sys.exit(1)
sys.exit(not torch.allclose(found, wanted, atol=1e-4))
