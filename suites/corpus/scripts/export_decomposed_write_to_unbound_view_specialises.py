# torch.export of in-place writes to the parts that unbind gives, with a Dim: run_decompositions() makes a constant of the
# size in silence, and the program that it returns refuses every other size; the program before takes them.
import sys
import torch


class Written(torch.nn.Module):
    def forward(self, x):
        both = torch.stack((x, x))
        for part in both.unbind(0):
            part.add_(1)
        return both


program = torch.export.export(Written(), (torch.ones(5),), dynamic_shapes=({0: torch.export.Dim("rows")},))
program.module()(torch.ones(7))
try:
    program.run_decompositions().module()(torch.ones(7))
except AssertionError as error:
    sys.exit(f"{error}")
