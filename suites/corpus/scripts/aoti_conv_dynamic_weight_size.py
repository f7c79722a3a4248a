# AOTInductor, conv2d whose weight is an input with dynamic out-channels: the example's 5 is baked in (lowering makes
# integers of the weight's sizes), other sizes come out in a wrong shape, in silence. Seen with torch 2.13.0, cpu.
import os, sys, tempfile
import torch

class Program(torch.nn.Module):
    def forward(self, x, weight):
        return torch.nn.functional.conv2d(x, weight)

example = torch.randn(2, 4, 8, 8), torch.randn(5, 4, 3, 3)
program = torch.export.export(Program(), example, dynamic_shapes=(None, {0: torch.export.Dim.DYNAMIC}))
args = torch.randn(2, 4, 8, 8), torch.randn(3, 4, 3, 3)
want = Program()(*args).shape
assert program.module()(*args).shape == want
path = torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(tempfile.mkdtemp(), "p.pt2"))
got = torch._inductor.aoti_load_package(path)(*args).shape
if got != want:
    sys.exit(f"{tuple(got)}, eager and the exported program: {tuple(want)}")
