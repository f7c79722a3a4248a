# attorch at 67c2772, math.update_welford (to be fused into other kernels): the new mean lacks the previous one
# (`(sum - count * prev_mean) / count`; batch norm's own kernel adds to it), so that from the second block on mean and
# variance are wrong. Two blocks of four show it.
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
import triton.language as tl
from attorch.math import update_welford
@triton.jit
def kernel(x, out):
    at = tl.arange(0, 4)
    mask = at < 4
    count, mean, squares = update_welford(tl.load(x + at), 0, 0.0, 0.0, 4, mask)
    count, mean, squares = update_welford(tl.load(x + 4 + at), count, mean, squares, 4, mask)
    tl.store(out, mean)
    tl.store(out + 1, squares / count)
x, found = torch.arange(8.0), torch.empty(2)
kernel[(1,)](x, found)
wanted = torch.stack((x.mean(), x.var(unbiased=False)))
print("mean and variance found", found.tolist(), "wanted", wanted.tolist())
sys.exit(not torch.allclose(found, wanted))
