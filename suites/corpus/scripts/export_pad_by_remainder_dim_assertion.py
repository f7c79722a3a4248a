# torch.export of a row that is padded to a multiple of 8, with a named Dim: the solver that is to suggest how to declare
# the size fails itself, "Cannot create Dim with inconsistent min=1, max=-oo". With Dim.DYNAMIC it is exported.
import sys
import torch
import torch.nn.functional as F


class Padded(torch.nn.Module):
    def forward(self, x):
        return F.pad(x, (0, -x.shape[0] % 8)).view(-1, 8)


torch.export.export(Padded(), (torch.zeros(13),), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
try:
    torch.export.export(Padded(), (torch.zeros(13),), dynamic_shapes=({0: torch.export.Dim("a")},))
except AssertionError as error:
    sys.exit(f"AssertionError: {error}")
except torch._dynamo.exc.UserError:
    pass  # a constraint that is told is no defect
