# programs, export_decomposed.named on cpu: RAISED ZeroDivisionError: integer division or modulo by zero
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3):
    v4_scores = x0 @ x1.transpose(-2, -1) * x0.shape[-1] ** (-0.5)
    v4 = torch.where(x3, v4_scores, torch.finfo(x0.dtype).min).softmax(dim=-1) @ x2
    return (v4,)
reference = program
example = (torch.zeros(1620, dtype=torch.float32).as_strided([9, 9, 2, 10], [1, 9, 81, 162], 0), torch.zeros([9, 9, 2, 10], dtype=torch.float32), torch.zeros(324, dtype=torch.float32).as_strided([9, 9, 2, 2], [1, 9, 81, 162], 0), torch.zeros([9, 1, 1, 2], dtype=torch.bool))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a, 3: a + 1}, {0: a, 1: a, 3: a + 1}, {0: a, 1: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0, 2, 1)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 2, 1)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 2, 2)), torch.tensor([], dtype=torch.bool).reshape((0, 1, 1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
