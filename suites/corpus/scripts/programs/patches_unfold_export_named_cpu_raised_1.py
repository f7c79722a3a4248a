# programs, export.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(5 + 5*((b) // 2), 10 + 10*((b) // 2), 20 + 20*((b) // 2)) == (5 + 5*((b) // 2))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.unfold(x0, 2, stride=2, padding=1)
    v2 = v1.unfold(0, 4, 2)
    return (v2,)
reference = program
example = (torch.zeros(384, dtype=torch.float32).as_strided([4, 4, 3, 8], [96, 1, 32, 4], 0),)
a = torch.export.Dim('a', min=4)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: a, 1: a, 2: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(384, generator=G).to(torch.float32).as_strided((4, 4, 3, 8), (96, 1, 32, 4)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
