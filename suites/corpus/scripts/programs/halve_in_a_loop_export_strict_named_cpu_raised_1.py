# programs, export_strict.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) // 2) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_y = x0 + 1
    while v1_y.shape[0] > 1:
        v1_n = v1_y.shape[0] // 2
        v1_y = v1_y[:v1_n] * 0.5 + v1_y[v1_n:2 * v1_n] * 0.5
    v1 = v1_y
    return (v1,)
reference = program
example = (torch.zeros([9, 2, 2, 2], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
