# scattermoe 0.3, scatter2scatter: rows are cast to int32 and multiplied by strides in int32, of x, weights and output:
# past 2**31 elements (65,536 routes of 32,768 columns) an offset is negative. Here a row lies there, and none between.
# Exits 1 or dies while the bug is there, 0 when it is gone, 2 without scattermoe: EAGERDIFF_SCATTERMOE=/folder/of/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_SCATTERMOE", "."))
try:
    from scattermoe.kernels.ops import scatter2scatter
except ImportError as error:
    sys.exit(print(f"needs scattermoe: {error}") or 2)
import torch
torch.manual_seed(0)
memory = torch.empty(2**31 + 32, dtype=torch.float16)  # 4 GiB of addresses; what is not touched takes no memory
x = memory.as_strided((3, 32), (2**30, 1))
weights = torch.randn(1, 32, 128).half()
x.copy_(torch.randn(3, 32))
routes = torch.arange(3)
found = scatter2scatter(x, weights, torch.zeros(3).long(), routes, 1).float()
error = (found - x.float() @ weights[0].float()).abs().max().item()
print(f"error {error:.3f}")
sys.exit(not error < 0.1)
