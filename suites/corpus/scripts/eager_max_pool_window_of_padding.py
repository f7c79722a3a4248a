# Eager max_pool1d with a dilated window that sees padding alone: the index returned lies outside the input, and the
# backward pass writes there: heap corruption ("double free", SIGABRT). Seen with torch 2.13.0, cpu.
import sys
import torch
import torch.nn.functional as F

x = torch.ones(3, 2, 1, requires_grad=True)
try:
    out, index = F.max_pool1d(x, 2, stride=1, padding=1, dilation=2, return_indices=True)
except RuntimeError:
    sys.exit(0)  # refused: right as well
outside = index[(index < 0) | (index >= x.shape[-1])]
for _ in range(100):
    torch.autograd.grad(F.max_pool1d(x, 2, stride=1, padding=1, dilation=2).sum(), x)
if outside.numel():
    sys.exit(f"{outside.numel()} of {index.numel()} indices lie outside the one element there is")
