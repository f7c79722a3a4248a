# torch.export.unflatten of a program that branches on a dynamic size: the module has no guards, takes the sizes of the
# other side of the branch and answers with the wrong side, in silence; ExportedProgram.module() refuses them.
import sys
import torch


class Parity(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] % 2 == 0 else x + 1


dims = ({0: torch.export.Dim.DYNAMIC},)
program = torch.export.export(Parity(), (torch.ones(4),), dynamic_shapes=dims)
x = torch.ones(5) * 3
try:
    program.module()(x)
except AssertionError:
    try:
        found = torch.export.unflatten(program)(x)
    except (AssertionError, RuntimeError):
        sys.exit()
    if not torch.equal(found, Parity()(x)):
        sys.exit(f"{found.tolist()} where {Parity()(x).tolist()} is right, and the program itself refuses")
