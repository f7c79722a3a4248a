# Exported with a view for its example, a program asks every argument for the size of the tensor that it is a view of:
# one with the same sizes and strides that is no view is refused with an AttributeError.
import sys
import torch


class Half(torch.nn.Module):
    def forward(self, x):
        return x * 2


example = torch.randn(6, 8)[:, :5]
dynamic = ({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO},)
program = torch.export.export(Half(), (example,), dynamic_shapes=dynamic).module()
alike = torch.empty_strided((4, 5), (8, 1)).fill_(3.0)
try:
    program(alike)
except AttributeError as error:
    sys.exit(f"AttributeError: {error}")
