# torch.export of torch.func.jvp from an example that is a view (x.t()): "sources must not be empty for symbol", for the tangent is
# held against the storage of the view's base; an example with the same strides that is no view is exported, and runs with either.
import sys
import torch

class Program(torch.nn.Module):
    def forward(self, x):
        return torch.func.jvp(torch.sin, (x,), (x * 2,))[1]

def export(example):
    return torch.export.export(Program(), (example,), dynamic_shapes=({1: torch.export.Dim.AUTO},)).module()

x = torch.randn(5, 2).t()
assert torch.allclose(export(torch.empty_strided((2, 9), (1, 2)).fill_(0))(x), Program()(x))
try:
    exported = export(torch.zeros(9, 2).t())
except AssertionError as error:
    sys.exit(str(error)[:200])
assert torch.allclose(exported(x), Program()(x))
