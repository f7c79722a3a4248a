# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(2*(a), 2*(a)*(a)) == (2*(a))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.instance_norm(x0)
    return (v1,)
reference = program
example = (torch.zeros([2, 9, 2, 9], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({1: a, 3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
