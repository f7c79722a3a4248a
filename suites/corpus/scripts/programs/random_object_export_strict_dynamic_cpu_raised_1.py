# programs, export_strict.dynamic on cpu: RAISED build raised AsPythonConstantNotImplementedError: SymNodeVariable() is not a constant
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import random

def program(x0):
    v1_r = random.Random(x0.shape[0])
    v1_y = x0 * v1_r.random()
    v1_z = v1_r.randint(1, 9)
    v1 = v1_y + v1_z
    return (v1,)
reference = program
example = (torch.zeros([9, 2], dtype=torch.float32),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
