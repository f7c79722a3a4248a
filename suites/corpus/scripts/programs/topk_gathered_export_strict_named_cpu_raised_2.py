# programs, export_strict.named on cpu: RAISED RuntimeError: selected index k out of range
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.gather(0, x0.topk(min(1, x0.shape[0]), dim=0, largest=False).indices)
    return (v1,)
reference = program
example = (torch.zeros([9], dtype=torch.uint8),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.uint8), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
