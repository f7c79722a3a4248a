# programs, export_strict.named on cpu: RAISED build raised RuntimeError: s11**2 + 2*s11
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = torch.cond(x1, lambda part: part.new_ones(*part.shape[:-1], 2 * part.shape[-1]), lambda part: F.pad(part, (0, 2)), (x0,))
    return (v2,)
reference = program
example = (torch.zeros([2, 9, 9], dtype=torch.float32), torch.zeros([], dtype=torch.bool))
a = torch.export.Dim('a')
dynamic_shapes = (({1: a, 2: a}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0, 0)), torch.tensor([True], dtype=torch.bool).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
