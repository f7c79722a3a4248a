# torch_api, export.dynamic on cpu: RAISED AssertionError: Guard failed: 1 + -1 * args_1.size()[2] + (3 + args_0.size()[1]) // 2 == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.nn.functional.conv2d(x0, x1, stride=2, padding=1, dilation=(2, 3))
    return parts(v0)
reference = program
example = (torch.zeros([4, 4, 11], dtype=torch.float32), torch.zeros([1, 4, 3, 3], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1, 7)), torch.tensor([], dtype=torch.float32).reshape((1, 0, 1, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
