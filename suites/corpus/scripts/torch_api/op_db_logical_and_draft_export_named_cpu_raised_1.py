# torch_api, draft_export.named on cpu: RAISED AssertionError: Guard failed: args_1.size()[1] == 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.logical_and(x0, x1)
    return parts(v0)
reference = program
example = (torch.zeros([0, 1, 2], dtype=torch.int64), torch.zeros([0, 0, 2], dtype=torch.int64))
b = torch.export.Dim('b')
dynamic_shapes = (({}, {1: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.int64).reshape((0, 1, 2)), torch.tensor([], dtype=torch.int64).reshape((0, 1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
