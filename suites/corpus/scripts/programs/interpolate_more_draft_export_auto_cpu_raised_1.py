# programs, draft_export.auto on cpu: RAISED AssertionError: Guard failed: max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[2]))) % (args_0.size()[0] * max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[2])))) != 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='nearest')
    return (v1,)
reference = program
example = (torch.zeros(1000, dtype=torch.float16).as_strided([10, 10, 10], [1, 10, 100], 0),)
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([3.0], dtype=torch.float16).reshape((1, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
