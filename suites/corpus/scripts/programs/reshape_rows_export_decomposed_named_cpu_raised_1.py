# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min((a), (a) + (a)*(a), (a)*(a) + (a)*(a)*(a)) == (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.reshape(-1, x0.shape[-1])
    return (v1,)
reference = program
example = (torch.zeros([2, 10, 11, 10], dtype=torch.int64),)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({1: a, 2: a + 1, 3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([0, -1, 3, -2], dtype=torch.int64).reshape((2, 1, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
