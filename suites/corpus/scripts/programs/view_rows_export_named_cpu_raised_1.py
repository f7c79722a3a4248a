# programs, export.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min((a), (a)*(a), (a)*(a)*(a)) == (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.contiguous().view(-1, x0.size(-1))
    return (v1,)
reference = program
example = (torch.zeros([2, 10, 10, 10], dtype=torch.float32),)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({1: a, 2: a, 3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
