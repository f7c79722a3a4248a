# programs, export_strict.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(4, (b)) <= (b)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.gather(1, x0.topk(min(4, x0.shape[1]), dim=1, largest=False).indices)
    return (v1,)
reference = program
example = (torch.zeros([2, 9], dtype=torch.int64),)
b = torch.export.Dim('b')
dynamic_shapes = (({1: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.int64).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
