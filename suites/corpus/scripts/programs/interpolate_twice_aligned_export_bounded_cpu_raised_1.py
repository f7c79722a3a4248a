# programs, export.bounded on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[3] in the specified range 3 <= a <= 16 satisfy the generated guard (1 % (2*math.trunc(2.0*torch.sym_float(L['args'][0].size()[3])))) != 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=2.0, mode='bicubic', align_corners=False)
    return (v1,)
reference = program
example = (torch.zeros(80, dtype=torch.float16).as_strided([2, 2, 2, 10], [40, 1, 20, 2], 0),)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(3) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.541015625, -2.1796875, -0.29345703125, 0.568359375, -1.0849609375, 0.4033203125, -1.3984375, 0.837890625], dtype=torch.float16).as_strided((2, 2, 2, 1), (4, 1, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
