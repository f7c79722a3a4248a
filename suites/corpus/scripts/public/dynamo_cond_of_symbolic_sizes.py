# torch.cond whose branches make ones and zeros of two integer arguments' sizes.
# github.com/pytorch/pytorch/issues/188151, closed. Present on 2.13.0.
import torch
@torch.compile(dynamic=True, fullgraph=True)
def f(rows: int, cols: int):
    return torch.cond(torch.tensor(True), lambda: torch.ones(rows, cols), lambda: torch.zeros(rows, cols))
f(5, 1000)
