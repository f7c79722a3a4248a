# torch.cond whose branches differ in the size of the last dim: generated code names u0 before it is bound.
# github.com/pytorch/pytorch/issues/189528, closed. Present on 2.13.0.
import torch
def h(x, y):
    return torch.cond(torch.tensor(True), lambda: torch.ones(x.shape[0], x.shape[1]), lambda: torch.zeros(x.shape[0], y.shape[1]))
torch.compile(h, fullgraph=True, dynamic=True)(torch.randn(5, 7), torch.randn(5, 8))
