# 1 << x of an integer argument. github.com/pytorch/pytorch/issues/119152, open. Present on 2.11.0.
import torch
f = torch.compile(lambda x: 1 << x, dynamic=True, backend="eager", fullgraph=True)
assert f(2) == 4 and f(3) == 8
