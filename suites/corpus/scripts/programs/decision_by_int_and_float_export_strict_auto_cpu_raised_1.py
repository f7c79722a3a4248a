# programs, export_strict.auto on cpu: RAISED AssertionError: Guard failed: math.ceil((args_0.size()[1] & 17) / 5) % 5 != 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0, n1, s2):
    v3_0 = F.softplus(x0, beta=abs(s2) + 1)
    v3_1 = v3_0 + v3_0.new_ones(math.ceil((n1 & x0.shape[1]) / 5) % 5, math.ceil((n1 & x0.shape[1]) / 5) % 3 + 1).sum()
    v3 = v3_1
    return (v3,)
reference = program
example = (torch.zeros([2, 22], dtype=torch.float32), 17, 1.0)
dynamic_shapes = (({1: torch.export.Dim.AUTO}, None, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.5207333564758301, -0.4686095714569092], dtype=torch.float32).reshape((2, 1)), 17, 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
