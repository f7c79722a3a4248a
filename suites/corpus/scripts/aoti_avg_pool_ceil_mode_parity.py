# AOTInductor, avg_pool1d(ceil_mode=True) of a dynamic size: the example's parity is baked in, even sizes come out one
# short in silence, AOTI_RUNTIME_CHECK_INPUTS=1 or not. Seen with torch 2.13.0, cpu.
import os, sys, tempfile
os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
import torch

class Program(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.avg_pool1d(x, 3, stride=2, padding=1, ceil_mode=True)

program = torch.export.export(Program(), (torch.randn(2, 3, 13),), dynamic_shapes=({2: torch.export.Dim.DYNAMIC},))
x = torch.randn(2, 3, 8)
want = Program()(x).shape
assert program.module()(x).shape == want
path = torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(tempfile.mkdtemp(), "p.pt2"))
got = torch._inductor.aoti_load_package(path)(x).shape
if got != want:
    sys.exit(f"{tuple(got)}, eager and the exported program: {tuple(want)}")
