# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (-2) + 2*((1 + (a)) // 2) < 1 + (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.avg_pool2d(x0, 3, stride=2, padding=0, ceil_mode=True, count_include_pad=False)
    return (v1,)
reference = program
example = (torch.zeros(3744, dtype=torch.float32).as_strided([12, 2, 13, 12], [1, 12, 24, 312], 0),)
a = torch.export.Dim('a', min=3)
dynamic_shapes = (({0: a, 2: a + 1, 3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(784, generator=G).to(torch.float32).as_strided((7, 2, 8, 7), (1, 7, 14, 112)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
