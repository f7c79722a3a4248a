# torch.func.grad of a ConvTranspose2d with symbolic sizes. github.com/pytorch/pytorch/issues/181175, closed. Present on
# 2.11.0.
import torch
m = torch.nn.ConvTranspose2d(4, 3, 3)
f = lambda x: m(x).pow(2).sum()
x = torch.randn(2, 4, 6, 6)
torch.func.grad(f)(x)
torch.compile(torch.func.grad(f), dynamic=True, backend="aot_eager")(x)
