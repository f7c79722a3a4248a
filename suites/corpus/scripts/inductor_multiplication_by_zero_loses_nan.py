# x * 0 of infinities and NaN: Inductor writes 0, in silence; eager and IEEE 754 give NaN.
import sys
import torch

x = torch.tensor([1.0, float("inf"), float("nan")])
found = torch.compile(lambda x: x * 0)(x)
if not found.isnan().equal((x * 0).isnan()):
    sys.exit(f"{found.tolist()} where {(x * 0).tolist()} is right")
