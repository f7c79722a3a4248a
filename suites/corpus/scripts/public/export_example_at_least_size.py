# An example whose size is the least of its Dim (1): export says that the dim is constant; with an example of 4 it
# exports. github.com/pytorch/pytorch/issues/176349, closed. Present on 2.13.0.
import torch
class M(torch.nn.Module):
    def __init__(self): super().__init__(); self.l = torch.nn.Linear(4, 4)
    def forward(self, x): return self.l(x)
b = torch.export.Dim("b", min=1, max=32)
torch.export.export(M(), (torch.randn(1, 4),), dynamic_shapes={"x": {0: b}})
