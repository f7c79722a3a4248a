# programs, export.bounded on cpu: RAISED build raised UserError: Constraints violated (b)! - Not all values of b = L['args'][1].size()[3] in the specified range 3 <= b <= 16 satisfy the generated guard (33 + math.trunc(1 + L['args'][1].size()[3])) == 37.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(n0, x1, x2):
    v3_0 = F.pad(x2, (1, 1), value=math.trunc(x2.shape[1]) + n0)[..., 1:-1]
    v3_1 = v3_0 + torch.arange(((math.ceil(x2.shape[1] / 3) << 2) + n0) % 9, device=v3_0.device).sum()
    v3 = v3_1
    v4 = x1.mean((-2, -1))
    return (v3, v4)
reference = program
example = (33, torch.zeros(8112, dtype=torch.float16).as_strided([8, 13, 13, 3], [1014, 78, 6, 2], 0), torch.zeros([4, 4, 10], dtype=torch.float16))
c = torch.export.Dim('c', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = ((None, {1: c + 1, 2: c + 1, 3: b}, {0: b + 1, 1: b + 1, 2: 2 * a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= (args[1].size(1) - 1) // 1 <= 16 and 3 <= args[1].size(3) <= 16 and (3 <= (args[2].size(2) - 0) // 2 <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((33, torch.randn(6399, generator=G).to(torch.float16).as_strided((8, 10, 10, 4), (800, 80, 8, 2)), torch.randn(700, generator=G).to(torch.float16).reshape((5, 5, 28)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
