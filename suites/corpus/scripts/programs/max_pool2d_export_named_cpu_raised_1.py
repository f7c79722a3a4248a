# programs, export.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (-3) + 3*((a) // 3) < (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.max_pool2d(x0, 3, stride=3, padding=0, dilation=2, ceil_mode=True)
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 14, 14], dtype=torch.float32),)
a = torch.export.Dim('a', min=5)
dynamic_shapes = (({2: a, 3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(100, generator=G).to(torch.float32).reshape((2, 2, 5, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
