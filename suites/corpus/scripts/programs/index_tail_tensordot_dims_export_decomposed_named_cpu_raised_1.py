# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard ((-1) + L['args'][0].size()[0]) != 1.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3 = x0[x1, 1:]
    v4 = torch.tensordot(v3, x2, dims=([0], [1]))
    return (v4,)
reference = program
example = (torch.zeros([10, 10], dtype=torch.int64), torch.zeros([2, 2], dtype=torch.int64), torch.zeros([2, 2], dtype=torch.int64))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a, 1: a}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([0], dtype=torch.int64).reshape((1, 1)), torch.tensor([0, 0, 0, 0], dtype=torch.int64).reshape((2, 2)), torch.tensor([5, 9, -1, 7], dtype=torch.int64).reshape((2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
