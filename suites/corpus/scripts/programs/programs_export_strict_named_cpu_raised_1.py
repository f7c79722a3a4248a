# programs, export_strict.named on cpu: RAISED build raised UserError: Expected shape[2] = 0 of input Tensor to be of the form 4*b, where b is an integer
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    return (x0,)
reference = program
example = (torch.zeros([0, 1, 0, 0], dtype=torch.float32),)
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 2: 4 * b, 3: 4 * b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((16, 1, 0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
