# attorch at 67c2772, mish: the gradient is a quotient of polynomials of exp(x) up to its fourth power, which is infinite
# in float32 from x = 22.2 on: there it is NaN, and 0 shortly before, where it is 1. Any x above shows it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without attorch: EAGERDIFF_ATTORCH=/folder/that/holds/attorch.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_ATTORCH", ".")
if not os.path.exists(f"{root}/attorch/utils.py"):
    sys.exit(print(f"needs attorch: no {root}/attorch/utils.py") or 2)
sys.modules["attorch"] = types.ModuleType("attorch")  # without what its __init__ imports
sys.modules["attorch"].__path__ = [f"{root}/attorch"]
import torch, triton
class First:  # of the configurations: there is nothing to time
    def __init__(self, kernel, configs):
        self.kernel, self.options = kernel, configs[0].kwargs
    def __getitem__(self, grid):
        whole = lambda given: grid({**given, **self.options}) if callable(grid) else grid
        return lambda *args, **given: self.kernel[whole](*args, **given, **self.options)
triton.autotune = lambda configs, **_: lambda kernel: First(kernel, configs)
from attorch.act_layers import ActFuncAutoGrad
x = torch.tensor([1.0, 22.0, 23.0, 40.0], requires_grad=True)
(found,) = torch.autograd.grad(ActFuncAutoGrad.apply(x, "mish", 0.0, False).sum(), x)
(wanted,) = torch.autograd.grad(torch.nn.functional.mish(x).sum(), x)
print("found ", found.tolist(), "\nwanted", wanted.tolist())
sys.exit(not torch.allclose(found, wanted, atol=1e-4))
