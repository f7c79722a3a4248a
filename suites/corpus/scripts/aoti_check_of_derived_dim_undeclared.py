# AOTInductor: a number from .item() is checked (torch._check) against a size that is a derived Dim, a + 2: the wrapper names the
# symbol of a, which it never declares, and the C++ does not compile. With a plain Dim it does.
import sys
import tempfile
import torch
from torch.export import Dim, export

class Count(torch.nn.Module):
    def forward(self, x):
        count = x.sum().item()
        torch._check(count <= x.numel())
        return count

for dim in (Dim("a"), Dim("a") + 2):
    program = export(Count(), (torch.ones(2, 9, dtype=torch.bool),), dynamic_shapes=({1: dim},))
    try:
        torch._inductor.aoti_compile_and_package(program, package_path=f"{tempfile.mkdtemp()}/program.pt2")
    except Exception as error:
        sys.exit(f"{dim}: " + next(line for line in str(error).splitlines() if "not declared" in line)[-60:])
