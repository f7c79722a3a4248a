# programs, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + abs(1.0 + torch.sym_float(1 + args_0.size()[0] // 2)) == 7.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1, s2):
    v3_0 = F.layer_norm(x0, x0.shape[-1:], eps=abs((x0.shape[0] >> 1) + n1 + s2) + 0.01)
    v3 = v3_0
    return (v3,)
reference = program
example = (torch.zeros([10, 2, 2, 2], dtype=torch.float32), 1, 1.0)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, None, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape((1, 2, 2, 2)), 1, 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
