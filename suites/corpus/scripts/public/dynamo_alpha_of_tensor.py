# add(alpha=) with a 0-d tensor. github.com/pytorch/pytorch/issues/182408, closed. Present on 2.11.0.
import torch
@torch.compile(fullgraph=True, backend="eager")
def f(x, o, a): return x.relu().add(o, alpha=a)
f(torch.randn(4, 3), torch.ones(4, 1), torch.tensor(10.0))
