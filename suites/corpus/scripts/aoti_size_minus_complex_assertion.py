# AOTInductor: a dynamic size minus a complex tensor: AssertionError: got <class 'torch.SymInt'>. Of a real tensor it compiles, as the
# complex tensor plus the size does.
import os, sys, tempfile
import torch

class Program(torch.nn.Module):
    def forward(self, x):
        return x.size(0) - x

def package(dtype):
    example = (torch.ones(9, dtype=dtype),)
    program = torch.export.export(Program(), example, dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    path = torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(tempfile.mkdtemp(), "p.pt2"))
    return torch._inductor.aoti_load_package(path)

x = torch.ones(5)
assert torch.equal(package(torch.float32)(x), 5 - x)
try:
    got = package(torch.complex64)(x.to(torch.complex64))
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, 5 - x.to(torch.complex64))
