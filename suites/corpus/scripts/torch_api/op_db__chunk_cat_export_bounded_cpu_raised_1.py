# torch_api, export.bounded on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked g as dynamic but your code specialized it to be a constant (3). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4):
    v0 = torch._chunk_cat([x0, x1, x2, x3, x4], 0, 3)
    return parts(v0)
reference = program
example = (torch.zeros([6, 11, 5], dtype=torch.float32), torch.zeros([10, 7, 1, 12], dtype=torch.float32), torch.zeros([3, 9], dtype=torch.float32), torch.zeros(96, dtype=torch.float32).as_strided([8, 4, 3], [0, 3, 1], 0), torch.zeros([3, 3, 3], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
d = torch.export.Dim('d', min=3, max=16)
e = torch.export.Dim('e', min=3, max=16)
f = torch.export.Dim('f', min=3, max=16)
g = torch.export.Dim('g', min=3, max=16)
h = torch.export.Dim('h', min=3, max=16)
i = torch.export.Dim('i', min=3, max=16)
j = torch.export.Dim('j', min=3, max=16)
k = torch.export.Dim('k', min=3, max=16)
l = torch.export.Dim('l', min=3, max=16)
m = torch.export.Dim('m', min=3, max=16)
o = torch.export.Dim('o', min=3, max=16)
dynamic_shapes = (({0: a, 1: b, 2: c}, {0: d, 1: e, 3: f}, {0: g, 1: h}, {0: i, 1: j, 2: k}, {0: l, 1: m, 2: o}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16 and (3 <= args[0].size(2) <= 16) and (3 <= args[1].size(0) <= 16) and (3 <= args[1].size(1) <= 16) and (3 <= args[1].size(3) <= 16) and (3 <= args[2].size(0) <= 16) and (3 <= args[2].size(1) <= 16) and (3 <= args[3].size(0) <= 16) and (3 <= args[3].size(1) <= 16) and (3 <= args[3].size(2) <= 16) and (3 <= args[4].size(0) <= 16) and (3 <= args[4].size(1) <= 16) and (3 <= args[4].size(2) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.full((1287,), 0.0, dtype=torch.float32).reshape((3, 13, 33)), torch.randn(225, generator=G).to(torch.float32).reshape((1, 25, 1, 9)), torch.randn(693, generator=G).to(torch.float32).reshape((21, 33)), torch.tensor([-204.99656677246094, -18.62479591369629, 70.78822326660156], dtype=torch.float32).as_strided((2, 1, 3), (0, 3, 1)), torch.randn(124, generator=G).to(torch.float32).reshape((2, 31, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
