# Dims batch and 5 * batch, batch from 1: the program refuses a batch of 1, which its range allows.
# github.com/pytorch/pytorch/issues/181097, closed. Present on 2.13.0.
import sys, torch
from torch.export import export, Dim
class M(torch.nn.Module):
    def forward(self, x, y):
        a = x.view(5, -1)
        return [a[i] - y for i in range(5)]
d = Dim("batch", min=1, max=8)
ep = export(M(), (torch.randn(20), torch.randn(4)), dynamic_shapes={"x": {0: d * 5}, "y": {0: d}})
ep.module()(torch.randn(10), torch.randn(2))
ep.module()(torch.randn(5), torch.randn(1))
