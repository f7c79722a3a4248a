# Eager grid_sample(padding_mode="border") with a NaN in the grid: the backward pass adds to an address made of it,
# outside the input's gradient: SIGSEGV. So with "reflection", there with infinities and large numbers too.
# github.com/pytorch/pytorch/issues/24823. Seen with torch 2.13.0 and 2.15.0, cpu. Dies while the bug is there, exits
# 0 when it is gone.
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(1, 5, 5, 15, requires_grad=True)
for _ in range(300):
    grid = torch.tensor([float("nan"), 0.0])[torch.randint(2, (1, 5, 2, 2))].requires_grad_()
    sampled = F.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=False)
    torch.autograd.grad(sampled.sum(), (x, grid))
