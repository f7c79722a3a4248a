# programs, draft_export.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[1] * (-2 + args_0.size()[0]) == 108
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0[x0.shape[0] - 2:]
    return (v1,)
reference = program
example = (torch.zeros([11, 12], dtype=torch.int64),)
a = torch.export.Dim('a', min=2)
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 1: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.int64).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
