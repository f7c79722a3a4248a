# flash-attn at 0251105 (and 2.8.3), triton_linear_act: the mask of the result's rows and columns is computed and not
# given to the store (`tl.store(C, acc)`; the backward kernel gives it). Where rows or columns are no multiple of the
# tile, a row's end is written over by the row before it, and memory behind the result is written. 3 x 5 shows it.
# Exits 1 or dies while the bug is there, 0 when it is gone, 2 without flash-attn: EAGERDIFF_FLASH_ATTN=/holds/flash_attn.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.path.join(os.environ.get("EAGERDIFF_FLASH_ATTN", "."), "flash_attn")
if not os.path.exists(f"{root}/ops/triton/linear.py"):
    sys.exit(print(f"needs flash-attn: no {root}/ops/triton/linear.py") or 2)
import torch, triton
for name in ("flash_attn", "flash_attn.ops", "flash_attn.ops.triton"):  # packages without what their __init__ runs
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split(".")[1:])]
sys.modules["triton.ops.matmul_perf_model"] = types.ModuleType("of Triton 2")
sys.modules["triton.ops.matmul_perf_model"].early_config_prune = None
sys.modules["triton.ops.matmul_perf_model"].estimate_matmul_time = None
class First:  # of the configurations
    def __init__(self, kernel, configs):
        self.kernel, self.options = kernel, configs[0].kwargs
    def __getitem__(self, grid):
        return lambda *args, **given: self.kernel[grid](*args, **given, **self.options)
triton.autotune = lambda configs, **_: lambda kernel: First(kernel, configs)
from flash_attn.ops.triton.linear import triton_linear_act
torch.manual_seed(0)
x, weight = torch.randn(3, 4), torch.randn(5, 4)
behind, empty = torch.full((1 << 20,), 7.0), torch.empty
torch.empty = lambda shape, **_: behind[: shape[0] * shape[1]].view(shape)
found = triton_linear_act(x, weight)
torch.empty = empty
error = (found - x @ weight.T).abs().max().item()
written = int((behind[15:] != 7).sum())
print(f"error {error}, {written} elements behind the result written")
sys.exit(not (error < 1e-4 and written == 0))
