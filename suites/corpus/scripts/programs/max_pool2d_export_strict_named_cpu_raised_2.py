# programs, export_strict.named on cpu: RAISED AssertionError: Guard failed: -1 + args_0.size()[3] == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.max_pool2d(x0, 2, stride=1, padding=0, dilation=1, ceil_mode=False)
    return (v1,)
reference = program
example = (torch.zeros(16, dtype=torch.float32).as_strided([2, 2, 2, 2], [1, 2, 4, 8], 0),)
a = torch.export.Dim('a', min=2)
dynamic_shapes = (({3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(72, generator=G).to(torch.float32).as_strided((2, 2, 2, 9), (1, 2, 4, 8)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
