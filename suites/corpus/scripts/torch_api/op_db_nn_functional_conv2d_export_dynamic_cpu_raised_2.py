# torch_api, export.dynamic on cpu: RAISED AssertionError: Guard failed: 3 + (args_0.size()[3] + -1 * args_1.size()[3]) // 2 == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.nn.functional.conv2d(x0, x1, x2, stride=(2, 2), padding=2, groups=1)
    return parts(v0)
reference = program
example = (torch.zeros([1, 8, 13, 2], dtype=torch.float32), torch.zeros([6, 8, 9, 5], dtype=torch.float32), torch.zeros([6], dtype=torch.float32))
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 0, 1, 1)), torch.tensor([], dtype=torch.float32).reshape((1, 0, 1, 1)), torch.tensor([1.5409960746765137], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
