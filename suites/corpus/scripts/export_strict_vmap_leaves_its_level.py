# A strict export that fails within torch.vmap never leaves it: functorch's level stays on the thread's stack, and from
# then on every random number of the process is refused ("vmap: called random operation"), by eager too.
import sys
import torch
from torch.export import Dim

def reference(x):
    return x + 1

def inner(x, kept, dim):
    return torch.all(x[kept], dim=dim, keepdim=True) + 1

class Program(torch.nn.Module):
    def forward(self, x, kept, dim):
        return torch.vmap(inner, in_dims=(0, None, None))(x, kept, dim)

kept = torch.arange(11) < 8
shapes = ({0: Dim.DYNAMIC, 1: Dim.DYNAMIC}, {0: Dim.DYNAMIC}, Dim.DYNAMIC)
try:
    torch.export.export(Program(), (torch.randn(17, 11), kept, 0), dynamic_shapes=shapes, strict=True)
except Exception as error:
    print(f"export raises {type(error).__name__}")
try:
    reference(torch.rand(3))
except RuntimeError as error:
    sys.exit(f"torch.rand(3) in eager, afterwards: {str(error)[:100]}")
