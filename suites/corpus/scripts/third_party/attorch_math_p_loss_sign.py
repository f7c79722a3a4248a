# attorch at 67c2772, math.calc_p_loss (to be fused into other kernels): smooth L1 and Huber loss ask whether the difference
# is below their parameter, not its absolute value, so that a large negative difference is squared. Its layers' own kernel
# asks right. A difference of -3 shows it: 4.5 for 2.5.
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
import triton.language as tl
from attorch.math import calc_p_loss
@triton.jit
def kernel(x, target, out, kind: tl.constexpr):
    at = tl.arange(0, 4)
    tl.store(out + at, calc_p_loss(tl.load(x + at), tl.load(target + at), 1.0, 4, kind, "none"))
x, target, found, right = torch.tensor([-3.0, -0.5, 0.5, 3.0]), torch.zeros(4), torch.empty(4), True
for kind, loss in ((0, torch.nn.functional.smooth_l1_loss), (3, torch.nn.functional.huber_loss)):
    kernel[(1,)](x, target, found, kind)
    wanted = loss(x, target, reduction="none")
    print(loss.__name__, "found", found.tolist(), "wanted", wanted.tolist())
    right = right and torch.allclose(found, wanted)
sys.exit(not right)
