# torch.export(strict=True) of torch.cond whose operand has reversed strides and two sizes of one Dim, a and a + 1: "not a simple
# accumulative multiplication of sizes", though the branches are pointwise. With strict=False, or two Dims, it is exported.
import sys
import torch

class Program(torch.nn.Module):
    def forward(self, x):
        return torch.cond((x > 0).any(), torch.sin, torch.cos, (x,))

a = torch.export.Dim("a")
x = torch.randn(2, 9, 10).permute(2, 1, 0)
torch.export.export(Program(), (x,), dynamic_shapes=({0: a + 1, 1: a},), strict=False)
try:
    torch.export.export(Program(), (x,), dynamic_shapes=({0: a + 1, 1: a},), strict=True)
except RuntimeError as error:
    sys.exit(str(error)[:200])
