# programs, export.bounded on cpu: RAISED build raised UserError: Constraints violated (b)! - Not all values of b = L['args'][3].size()[3] in the specified range 3 <= b <= 16 satisfy the generated guard (33 + math.trunc(1 + L['args'][3].size()[3])) == 43.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0, x1, n2, x3):
    v4 = F.interpolate(x0, scale_factor=2, mode='nearest')
    v5_0 = F.pad(v4, (1, 1), value=math.trunc(v4.shape[1]) + n2)[..., 1:-1]
    v5_1 = v5_0 + torch.arange(((math.ceil(v4.shape[1] / 3) << 2) + n2) % 9, device=v5_0.device).sum()
    v5 = v5_1
    v6 = x3.mean((-2, -1))
    v7 = torch.bincount(x1 & 7, minlength=8)
    return (v5, v6, v7)
reference = program
example = (torch.zeros(2600, dtype=torch.float16).as_strided([10, 10, 13], [260, 26, 2], 0), torch.zeros(8, dtype=torch.int64).as_strided([4], [2], 0), 33, torch.zeros(5184, dtype=torch.float16).as_strided([8, 6, 6, 9], [648, 108, 18, 2], 0))
b = torch.export.Dim('b', min=3, max=16)
a = torch.export.Dim('a', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
dynamic_shapes = (({0: b + 1, 1: b + 1, 2: a}, {}, None, {1: c + 1, 2: c + 1, 3: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= (args[0].size(0) - 1) // 1 <= 16 and 3 <= args[0].size(2) <= 16 and (3 <= (args[3].size(1) - 1) // 1 <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(699, generator=G).to(torch.float16).as_strided((5, 5, 14), (140, 28, 2)), torch.tensor([6, 6, 6, 6, 1, 1, 8], dtype=torch.int64).as_strided((4,), (2,)), 33, torch.randn(6399, generator=G).to(torch.float16).as_strided((8, 10, 10, 4), (800, 80, 8, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
