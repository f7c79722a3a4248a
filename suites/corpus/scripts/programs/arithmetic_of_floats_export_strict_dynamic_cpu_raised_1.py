# programs, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + abs(1.0 + torch.sym_float(math.ceil((args_0.size()[0] & args_0.size()[0]) / 2))) == 6.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0, s1):
    v2_0 = F.rms_norm(x0, x0.shape[-1:], eps=abs(math.ceil((x0.shape[0] & x0.shape[0]) / 2) + s1 + s1) + 0.01)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([10, 2, 2], dtype=torch.float32), 0.5)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-0.24709732830524445, 0.3192470371723175, 0.12572602927684784, -0.8973581194877625], dtype=torch.float32).reshape((1, 2, 2)), 0.5, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
