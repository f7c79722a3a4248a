# torch.export leaves out .contiguous() where the example is contiguous, and guards no strides: an input of the same shape
# that is transposed is read in the wrong order (with .view() in place of as_strided: an error). pytorch issue 186381.
import sys
import torch

class Pairs(torch.nn.Module):
    def forward(self, x):
        return x.contiguous().as_strided((3, 2), (2, 1)) * 1

x, other = torch.arange(6.0).reshape(2, 3), torch.arange(6.0).reshape(3, 2).t()
program = torch.export.export(Pairs(), (x,)).module()
assert torch.equal(program(x), Pairs()(x))
got, expected = program(other), Pairs()(other)
if not torch.equal(got, expected):
    sys.exit(f"{got.flatten().tolist()} where {expected.flatten().tolist()} is right")
