# programs, export_decomposed.dynamic on cpu: WRONG_STRIDES [5] other strides than eager's, and it keeps the memory format of an argument (got [2, 1, 1], expected [1, 2, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = F.log_softmax(x0, dim=0)
    v7_n = x1.sum().item()
    torch._check(v7_n >= 0)
    torch._check(v7_n <= x0.shape[0])
    v7, v8 = x0.split([v7_n, x0.shape[0] - v7_n])
    v9 = x0.contiguous().view(-1, x0.size(-1))
    v10 = F.interpolate(x2, size=x3.shape[-2:], mode='bilinear')
    v11 = torch.einsum('bij,bkj->bik', x4, x5)
    return (v6, v7, v8, v9, v10, v11)
reference = program
example = (torch.zeros(65, dtype=torch.float16).as_strided([8, 8], [8, 1], 1), torch.zeros([8], dtype=torch.bool), torch.zeros(1920, dtype=torch.float16).as_strided([5, 6, 8, 8], [384, 1, 48, 6], 0), torch.zeros(600, dtype=torch.float16).as_strided([5, 6, 4, 5], [120, 1, 30, 6], 0), torch.zeros(480, dtype=torch.float32).as_strided([5, 12, 8], [8, 40, 1], 0), torch.zeros(441, dtype=torch.float32).as_strided([5, 11, 8], [88, 8, 1], 1))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([3.0, 2.0, 3.0, -3.0, 0.0, 0.0, -1.0, -2.0], dtype=torch.float16).reshape((1, 8)), torch.tensor([False], dtype=torch.bool), torch.tensor([-1.0, 1.0, -1.0, 1.0, 1.0, 3.0], dtype=torch.float16).reshape((2, 3, 1, 1)), torch.tensor([-0.97265625, 0.45849609375, -1.3466796875, -0.1661376953125, -1.1728515625, 0.46435546875, -1.650390625, 0.0197601318359375, 0.9150390625, -0.314208984375, -1.7275390625, 0.44287109375, -0.452880859375, 0.1595458984375, -0.5029296875, 0.775390625, -0.73046875, -0.81689453125, 0.75, -2.732421875, 0.375244140625, 0.75439453125, -0.312255859375, -0.1363525390625, 0.0960693359375, -0.1856689453125, -0.310791015625, 0.286376953125, 0.2137451171875, 0.004596710205078125, 0.7080078125, -0.14404296875, -1.2236328125, 0.0899658203125, 1.2197265625, 1.0888671875, -0.087646484375, 0.01096343994140625, -2.14453125, 0.962890625, -0.53076171875, -0.125244140625, 0.9619140625, 0.18310546875, 0.172607421875, 0.0298614501953125, -0.09423828125, 0.73828125], dtype=torch.float16).as_strided((2, 3, 4, 2), (24, 1, 6, 3)), torch.tensor([0.5531532764434814, -0.14555788040161133, 0.8958118557929993, -0.16773806512355804], dtype=torch.float32).as_strided((2, 2, 1), (1, 2, 1)), torch.tensor([-1.0, 1.0], dtype=torch.float32).reshape((2, 1, 1)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
