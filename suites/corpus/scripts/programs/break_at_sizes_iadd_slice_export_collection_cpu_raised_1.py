# programs, export.collection on cpu: RAISED build raised Tautology: Constraints violated by no declared size: 0 <= (b) + ((-1)*min(24, (b)))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    x0[:, 0:] += x0[:, 0:] * 2
    v1 = x0
    v2_0 = x0 + x0.narrow(0, 0, min(torch.Size((x0.shape[3], 2)).numel(), x0.shape[0])).sum(0)
    v2_1 = v2_0 / (abs(sorted((x0.shape[2], x0.shape[0], 3))[1]) + 1)
    v2 = v2_1
    return (v2,)
reference = program
example = (torch.zeros(432, dtype=torch.float32).as_strided([9, 2, 2, 12], [24, 216, 12, 1], 0),)
b = torch.export.Dim('b')
a = torch.export.Dim('a')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: b, 3: a}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(280, generator=G).to(torch.float32).as_strided((5, 2, 2, 14), (28, 140, 14, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
