# programs, export_decomposed.dynamic on cpu: RAISED RuntimeError: cannot reshape tensor of 0 elements into shape [0, 1, 1, -1] because the unspecified dimension size -1 can be any value and is ambiguous
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.cross_entropy(x0, x1, reduction='sum')
    return (v2,)
reference = program
example = (torch.zeros([9, 10, 8], dtype=torch.float32), torch.zeros([9, 8], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1, 8)), torch.tensor([], dtype=torch.int64).reshape((0, 8)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
