# programs, export_again.dynamic on cpu: RAISED AssertionError: Guard failed: args_0.size()[0] * args_0.size()[0] == 81
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import math

def program(x0, x1):
    v2_n1 = x1.item()
    v2_0 = x0 * math.sin(pow(x0.shape[0], 2))
    v2_1 = v2_0 + torch.arange(v2_n1 % 3, v2_n1 % 8 + 3, device=v2_0.device).sum()
    v2 = v2_1
    return (v2,)
reference = program
example = (torch.zeros([9, 2, 2], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 2)), torch.tensor([4], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
