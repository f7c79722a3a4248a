# programs, export.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (((1 + (b)) // 2) % (2*((1 + (b)) // 2))) != 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.unfold(x0, 2, stride=2, padding=0)
    return (v1,)
reference = program
example = (torch.zeros([10, 1, 11, 4], dtype=torch.float32),)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: b, 2: b + 1},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((1, 1, 2, 4)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
