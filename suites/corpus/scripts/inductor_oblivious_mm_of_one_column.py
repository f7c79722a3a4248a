# A float16 product of one inner element, (15, 37, 1) @ (1, 12), with backed_size_oblivious and a transposed x: Inductor's
# C++ makes a multiplication of it and takes x's last dim, of size 1, for one of size 12. It reads x out of bounds.
import sys
import torch
from torch.fx.experimental import _config

x = torch.ones(37, 15, 1, dtype=torch.float16).cumsum(0).cumsum(1).transpose(0, 1)
w = torch.ones(1, 12, dtype=torch.float16)
expected = x @ w
with _config.patch(backed_size_oblivious=True):
    got = torch.compile(torch.matmul, dynamic=True)(x, w)
wrong = int((got != expected).sum())
if wrong:
    sys.exit(f"{wrong} of {got.numel()} elements are wrong: {got[0, 0].tolist()} where {expected[0, 0].tolist()} is right")
