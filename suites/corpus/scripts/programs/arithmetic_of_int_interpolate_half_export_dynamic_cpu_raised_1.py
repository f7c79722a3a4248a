# programs, export.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + torch.sym_float(abs(1 + math.trunc(0.5 * torch.sym_float(args_0.size()[2])))) == 6.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1):
    v2 = F.interpolate(x0, scale_factor=0.5, mode='bilinear')
    v3_0 = F.layer_norm(v2, v2.shape[-1:], eps=abs(v2.shape[2] + n1) + 0.01)
    v3 = v3_0
    return (v3,)
reference = program
example = (torch.zeros([2, 2, 11, 2], dtype=torch.float32), 1)
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape((2, 2, 4, 2)), 1, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
