# programs, export_strict.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) + (-1)*((1 + (a)) // 2)) != (-1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.cat([part.cumsum(-1) for part in x0.chunk(2)], 0)
    return (v1,)
reference = program
example = (torch.zeros([9], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
