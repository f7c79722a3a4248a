# AOTInductor of scan over rows whose size is dynamic: InductorError: KeyError: s50, a symbol that nothing defines. Where the number of
# rows alone is dynamic it compiles, and torch.export exports both.
import os, sys, tempfile
import torch
from torch._higher_order_ops import scan

class Program(torch.nn.Module):
    def forward(self, x):
        return scan(lambda total, row: (total + row, total * 2), torch.ones_like(x[0]), x)[1]

def package(dim):
    torch._dynamo.reset()
    dynamic_shapes = ({dim: torch.export.Dim.DYNAMIC},)
    program = torch.export.export(Program(), (torch.zeros(2, 9),), dynamic_shapes=dynamic_shapes)
    path = torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(tempfile.mkdtemp(), "p.pt2"))
    return torch._inductor.aoti_load_package(path)

x = torch.randn(5, 9)
assert torch.allclose(package(0)(x), Program()(x))
try:
    got = package(1)(torch.randn(2, 5))
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert got.shape == (2, 5)
