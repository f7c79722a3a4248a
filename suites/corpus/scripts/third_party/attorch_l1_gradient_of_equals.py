# attorch at 67c2772, L1 loss: the gradient where input and target are equal is 1 (`tl.where(0 <= diff, 1, -1)`), in
# nn.L1Loss 0. Equal tensors show it: they are pushed apart.
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
from attorch.p_loss_layers import PLossAutoGrad
x, target = torch.tensor([1.0, 2.0, 3.0], requires_grad=True), torch.tensor([2.0, 2.0, 2.0])
(found,) = torch.autograd.grad(PLossAutoGrad.apply(x, target, 1, "sum"), x)
(wanted,) = torch.autograd.grad(torch.nn.functional.l1_loss(x, target, reduction="sum"), x)
print("found", found.tolist(), "wanted", wanted.tolist())
sys.exit(not torch.equal(found, wanted))
