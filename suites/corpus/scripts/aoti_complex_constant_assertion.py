# AOTInductor raises a bare AssertionError for torch.full of a complex
# number (cpp_wrapper_cpu: fill_args knows no complex scalar); tril and where alike. Seen with torch 2.13.0, cpu.
import os, sys, tempfile
import torch

class Program(torch.nn.Module):
    def forward(self, x):
        return x + torch.full((4,), 1j)

x = torch.randn(4, dtype=torch.complex64)
program = torch.export.export(Program(), (x,))
assert torch.equal(program.module()(x), Program()(x))
try:
    path = torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(tempfile.mkdtemp(), "p.pt2"))
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
assert torch.equal(torch._inductor.aoti_load_package(path)(x), Program()(x))
