# programs, export_strict.named on cpu: RAISED build raised AssertionError: Cannot create Dim with inconsistent min=1, max=1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1):
    v2_0 = x0 + x0[..., (sum((1, x0.shape[0] // 5)) + n1) % 4:sum((1, x0.shape[0] // 5)) + n1].sum()
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([7], dtype=torch.float32), 9)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-119.04415130615234, -246.50820922851562, -44.786808013916016, -22.792118072509766, 94.10285186767578, -116.88263702392578, -14.225515365600586, 73.72332000732422, -33.16823959350586, 80.50717163085938, -181.9580535888672, -51.94097137451172, 29.307079315185547, 72.98316192626953, 53.78871536254883, -67.64938354492188, -61.20314025878906, -125.64016723632812, 67.60879516601562, -107.56964874267578, 29.95050811767578, 40.09994125366211], dtype=torch.float32), 9, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
