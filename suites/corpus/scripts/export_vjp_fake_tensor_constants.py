# torch.export of torch.func.vjp makes constants of its FakeTensors: the exported program returns a FakeTensor.
# Strict or not. Seen with torch 2.13.0, cpu.
import sys
import torch

class Program(torch.nn.Module):
    def forward(self, x):
        return torch.func.vjp(torch.tanh, x)[1](x + 1)[0]

x = torch.randn(4, 7)
want = Program()(x)
got = torch.export.export(Program(), (x,)).module()(x)
if type(got) is not torch.Tensor:
    sys.exit(f"the exported program returns a {type(got).__name__}")
assert torch.allclose(got, want)
