# programs, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + abs(1.0 + torch.sym_float(2 * args_0.size()[2])) == 21.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0, s1):
    v2_0 = F.rms_norm(x0, x0.shape[-1:], eps=abs(math.prod((2, x0.shape[2])) + s1) + 0.01)
    v2 = v2_0
    v3_a = v2.unsqueeze(0)
    v3_b = v3_a[:, 1:]
    v3_b.transpose(0, 1).add_(1)
    v3 = v2
    return (v3,)
reference = program
example = (torch.zeros([2, 2, 10], dtype=torch.float32), 1.0)
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2, 1)), 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
