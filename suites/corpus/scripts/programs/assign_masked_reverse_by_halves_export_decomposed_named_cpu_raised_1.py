# programs, export_decomposed.named on cpu: RAISED build raised AssertionError: Cannot create Dim with inconsistent min=1, max=1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    x1[x0] = 0.0
    v2 = x1

    def v3_halves(part):
        middle = part.shape[0] // 2
        if part.shape[0] <= 1:
            return part
        return torch.cat((v3_halves(part[middle:]), v3_halves(part[:middle])))
    v3 = v3_halves(x1) * 1
    return (v3,)
reference = program
example = (torch.zeros([6], dtype=torch.bool), torch.zeros([6], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([False, False, False], dtype=torch.bool), torch.tensor([0.35492590069770813, 1.6407610177993774, -0.24290047585964203], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
