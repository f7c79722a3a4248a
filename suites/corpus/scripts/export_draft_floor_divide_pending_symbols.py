# draft_export, which is to give a program for whatever runs, fails on x.floor_divide(y) of tensors with dynamic dims:
# "Pending unbacked symbols {u0} not in returned outputs"; torch.export.export takes it, and draft_export takes x + y.
import sys
import torch


class Divided(torch.nn.Module):
    def forward(self, x, y):
        return x.floor_divide(y)


dims = ({0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC})
example = (torch.ones(3), torch.ones(3))
torch.export.export(Divided(), example, dynamic_shapes=dims)
try:
    torch.export.draft_export(Divided(), example, dynamic_shapes=dims)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error).splitlines()[0]}")
