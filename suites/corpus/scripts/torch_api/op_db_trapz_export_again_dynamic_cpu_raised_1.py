# torch_api, export_again.dynamic on cpu: RAISED RuntimeError: Runtime assertion failed for expression Eq(s27, Max(0, u0 - Min(1, u0)) + 1) on node 'eq_7'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x1[x2]
    v1 = torch.trapz(x0, v0, dim=-2)
    return parts(v1)
reference = program
example = (torch.zeros([8, 8], dtype=torch.float32), torch.zeros([11, 8], dtype=torch.float32), torch.zeros([11], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), torch.tensor([], dtype=torch.float32).reshape((3, 0)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
