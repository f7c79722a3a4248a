# programs, export.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((-32)*(a)) + 32*(a)*((a) // 2) >= 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.unfold(0, 4, 2)
    return (v1,)
reference = program
example = (torch.zeros([13, 52, 2], dtype=torch.float32),)
a = torch.export.Dim('a', min=4)
dynamic_shapes = (({0: a, 1: 4 * a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(128, generator=G).to(torch.float32).reshape((4, 16, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
