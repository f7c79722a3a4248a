# torch.export of torch.func.jvp from an example that is a view (x.t()): "sources must not be empty for symbol", for the
# tangent is held against the storage of the view's base, and the order of a set says which of the two symbols is put for
# the other (so: 16 views); an example with the same strides that is no view is exported, and runs with either.
import sys

import torch


class Program(torch.nn.Module):
    def forward(self, *views):
        return [torch.func.jvp(torch.sin, (x,), (x * 2,))[1] for x in views]


def export(examples):
    return torch.export.export(Program(), examples, dynamic_shapes=(({1: torch.export.Dim.AUTO},) * 16,)).module()


x = tuple(torch.randn(5, 2).t() for _ in range(16))
torch.testing.assert_close(export(tuple(torch.empty_strided((2, 9), (1, 2)).fill_(0) for _ in x))(*x), Program()(*x))
try:
    exported = export(tuple(torch.zeros(9, 2).t() for _ in x))
except AssertionError as error:
    sys.exit(str(error)[:200])
torch.testing.assert_close(exported(*x), Program()(*x))
