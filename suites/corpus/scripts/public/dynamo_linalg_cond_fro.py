# linalg.cond(p='fro') with symbolic sizes calls numel(). github.com/pytorch/pytorch/issues/186028, closed. Present on
# 2.13.0.
import torch
f = lambda x: torch.linalg.cond(x, p="fro")
x = torch.randn(4, 4)
f(x)
torch.compile(f, dynamic=True, fullgraph=True)(x)
