# programs, export_strict.named on cpu: RAISED AssertionError: Guard failed: max(1, math.trunc(1.5 * torch.sym_float(args_2.size()[3]))) < max(1, math.trunc(1.5 * torch.sym_float(args_2.size()[3]))) * max(1, math.trunc(1.5 * torch.sym_float(args_2.size()[2])))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4_c = x0.clone()
    v4_c.transpose_(0, -1)
    v4_c.mul_(2)
    v4 = v4_c
    v5_n = x1.sum().item()
    torch._check(v5_n >= 0)
    torch._check(v5_n <= v4.shape[0])
    v5 = (v4 * x1.reshape(-1, *[1] * (v4.dim() - 1))).sum(0) / max(v5_n, 1)
    v6 = torch.empty(v5.shape, device=v5.device).geometric_(0.5)
    v7 = F.interpolate(x2, scale_factor=1.5, mode='bilinear', recompute_scale_factor=True)
    v8 = x3 % x3.shape[-1]
    return (v5, v6, v7, v8)
reference = program
example = (torch.zeros([5, 5, 5], dtype=torch.float16), torch.zeros([5], dtype=torch.bool), torch.zeros(3200, dtype=torch.bfloat16).as_strided([8, 5, 8, 5], [400, 80, 10, 2], 0), torch.zeros([5], dtype=torch.int64))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: a, 1: a, 2: a}, {0: a}, {0: b, 1: a, 2: b, 3: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-1.4736328125, float("inf"), -1.064453125, -0.207275390625, 0.5341796875, -1.33203125, 0.8935546875, float("inf"), -0.21484375, -0.0638427734375, 0.66552734375, float("-inf"), -0.5986328125, -0.311767578125, float("nan"), -0.62890625, 0.4580078125, float("nan"), 1.849609375, 0.59765625, -0.97314453125, 1.091796875, 0.2254638671875, -0.42529296875, -1.162109375, 0.55029296875, float("-inf")], dtype=torch.float16).reshape((3, 3, 3)), torch.tensor([True, False, True], dtype=torch.bool), torch.tensor([-0.87109375, -0.87109375, -0.65234375, -0.65234375, 0.94140625, 0.94140625, 0.068359375, 0.068359375, -0.326171875, -0.326171875, -0.09765625, -0.09765625, 0.96484375, 0.96484375, -0.451171875, -0.451171875, -0.1513671875], dtype=torch.bfloat16).as_strided((1, 3, 1, 3), (18, 6, 6, 2)), torch.tensor([4611686018427387903, 0, 4611686018427387903], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
