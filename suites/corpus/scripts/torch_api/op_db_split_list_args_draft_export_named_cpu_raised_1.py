# torch_api, draft_export.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[1] * args_0.size()[2] == 72
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.split(x0, (1, 3, 1))
    return parts(v0)
reference = program
example = (torch.zeros([5, 8, 9], dtype=torch.float32),)
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({1: a, 2: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((5, 0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
