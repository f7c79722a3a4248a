# AOTInductor, adaptive_avg_pool1d of a dynamic length: the example's length is baked in (lowering makes integers of it), and
# other lengths get wrong values in silence; AOTI_RUNTIME_CHECK_INPUTS=1 refuses them, though declared. Seen with torch 2.13.0.
import os, sys, tempfile
import torch

class Program(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.adaptive_avg_pool1d(x, 3)

length = torch.export.Dim("length", min=4, max=64)
program = torch.export.export(Program(), (torch.randn(2, 3, 10),), dynamic_shapes=({2: length},))
x = torch.randn(2, 3, 20)
want = Program()(x)
assert torch.allclose(program.module()(x), want)
path = torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(tempfile.mkdtemp(), "p.pt2"))
got = torch._inductor.aoti_load_package(path)(x)
if not torch.allclose(got, want):
    sys.exit(f"off by {float((got - want).abs().max())}; the exported program is right")
