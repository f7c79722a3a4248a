# torch_api, export.auto on cpu: RAISED RuntimeError: Runtime assertion failed for expression u0 >= 2 on node 'ge'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x1[x2]
    v1 = torch.cross(x0, v0)
    return parts(v1)
reference = program
example = (torch.zeros([8, 3, 8], dtype=torch.float32), torch.zeros([11, 3, 8], dtype=torch.float32), torch.zeros([11], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 3, 0)), torch.tensor([], dtype=torch.float32).reshape((3, 3, 0)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
