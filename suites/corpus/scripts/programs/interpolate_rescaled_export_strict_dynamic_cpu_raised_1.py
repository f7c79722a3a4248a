# programs, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[3]))) < max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[2]))) * max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[3])))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='bilinear', recompute_scale_factor=True)
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 10, 10], dtype=torch.bfloat16),)
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5390625, -0.29296875, -2.171875, 0.5703125], dtype=torch.bfloat16).reshape((2, 2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
