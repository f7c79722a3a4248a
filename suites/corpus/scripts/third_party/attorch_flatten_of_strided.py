# attorch at 67c2772, activations, GLU, dropout and p-losses: the input is flattened, which gives a view where its
# elements lie evenly apart (every other column of a tensor), and the kernel reads the view's elements side by side: the
# result is of other elements, silently. torch.empty_like gives the result no such gaps. A row of 4 of 8 shows it.
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
        self.kernel, self.options, self.best_config = kernel, configs[0].kwargs, configs[0]
    def __getitem__(self, grid):
        whole = lambda given: grid({**given, **self.options}) if callable(grid) else grid
        return lambda *args, **given: self.kernel[whole](*args, **given, **self.options)
triton.autotune = lambda configs, **_: lambda kernel: First(kernel, configs)
from attorch.act_layers import ActFuncAutoGrad
from attorch.p_loss_layers import PLossAutoGrad
x = torch.arange(8.0)[::2]
relu = ActFuncAutoGrad.apply(x, "relu", 0.0, False)
error = PLossAutoGrad.apply(x, torch.zeros(4), 2, "none")
print("relu of", x.tolist(), "found", relu.tolist(), "\nsquares found", error.tolist(), "wanted", x.square().tolist())
sys.exit(not (torch.equal(relu, x) and torch.equal(error, x.square())))
