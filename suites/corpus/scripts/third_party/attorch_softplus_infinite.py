# attorch at 67c2772, softplus and logsigmoid: log(1 + exp(x)) is infinite from x = 88.8 on, where it is x, and
# log(sigmoid(x)) is -infinite from x = -88.8 on, where it is x; torch computes both without overflow.
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
x, right = torch.tensor([-100.0, -1.0, 1.0, 100.0]), True
for name in ("softplus", "logsigmoid"):
    found, wanted = ActFuncAutoGrad.apply(x, name, 0.0, False), getattr(torch.nn.functional, name)(x)
    print(name, "found", found.tolist(), "wanted", wanted.tolist())
    right = right and torch.allclose(found, wanted, atol=1e-5)
sys.exit(not right)
