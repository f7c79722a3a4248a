# programs, draft_export.named on cpu: RAISED build raised AssertionError: Expected a constraint on s21 instead of on 5
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.conv2d(x1, x2, x3, stride=3, padding=0, dilation=2)
    return (x0, v4)
reference = program
example = (torch.zeros(16, dtype=torch.float32).as_strided([8, 2], [1, 8], 0), torch.zeros([5, 3, 5, 8], dtype=torch.float64), torch.zeros([8, 3, 3, 3], dtype=torch.float64), torch.zeros([8], dtype=torch.float64))
a = torch.export.Dim('a', min=5)
b = torch.export.Dim('b', min=5)
dynamic_shapes = (({0: a}, {0: b, 2: b, 3: a}, {0: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).as_strided((8, 2), (1, 8)), torch.randn(600, generator=G).to(torch.float64).reshape((5, 3, 5, 8)), torch.randn(216, generator=G).to(torch.float64).reshape((8, 3, 3, 3)), torch.tensor([-3.2314066886901855, -1.5840449333190918, 0.8334673047065735, 0.5866960287094116, 1.1005253791809082, 0.5971272587776184, -0.28242310881614685, 1.2698005437850952], dtype=torch.float64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
