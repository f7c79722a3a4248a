# programs, export.collection on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((c) // 2) <= (c)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = x0.index_copy(0, torch.arange(x1.shape[0], device=x0.device).flip(0), x1)
    v7_sizes = torch.stack((x3.sum(), (~x3).sum())).tolist()
    v7, v8 = x2.split(v7_sizes)
    v9 = F.conv1d(x4, x5, stride=2, padding=1, dilation=2)
    v10 = x3.to(torch.float16)

    def v11_halves(part):
        middle = part.shape[0] // 2
        if part.shape[0] <= 1:
            return part
        return torch.cat((v11_halves(part[middle:]), v11_halves(part[:middle])))
    v11 = v11_halves(x4) * 1
    v12 = F.adaptive_max_pool1d(v9, 2)
    return (v6, v7, v8, v10, v11, v12)
reference = program
example = (torch.zeros([4, 4], dtype=torch.bool), torch.zeros(16, dtype=torch.bool).as_strided([4, 4], [1, 4], 0), torch.zeros([6], dtype=torch.float32), torch.zeros([6], dtype=torch.bool), torch.zeros([24, 24, 4], dtype=torch.bfloat16), torch.zeros([3, 24, 3], dtype=torch.bfloat16))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c', min=1)
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {1: a}
dynamic_shapes[example[1]] = {0: a, 1: a}
dynamic_shapes[example[2]] = {0: b + 1}
dynamic_shapes[example[3]] = {0: b + 1}
dynamic_shapes[example[4]] = {0: c, 1: c}
dynamic_shapes[example[5]] = {1: c}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([True, True, False, False, False, False, True, True, False, True, False, True, True, False, False, False], dtype=torch.bool).reshape((4, 4)), torch.tensor([False, False, False, False, False, True, False, False, False, False, False, False, False, False, False, False], dtype=torch.bool).as_strided((4, 4), (1, 4)), torch.tensor([0.15969596803188324], dtype=torch.float32), torch.tensor([False], dtype=torch.bool), torch.tensor([0.75390625, 0.515625, 0.84375, 0.41796875], dtype=torch.bfloat16).reshape((1, 1, 4)), torch.tensor([-67.5, 44.25, -34.0, 171.0, 156.0, 55.0, -46.0, -90.0, -39.5], dtype=torch.bfloat16).reshape((3, 1, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
