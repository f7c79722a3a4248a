# programs, export.bounded on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][1].size()[0] in the specified range 3 <= a <= 16 satisfy the generated guard (2.0 + torch.sym_float(L['args'][1].size()[0])) == 11.0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(s0, x1):
    v2_0 = F.pad(x1, (1, 1), value=x1.shape[0] + s0 + s0)[..., 1:-1]
    v2 = v2_0
    return (v2,)
reference = program
example = (1.0, torch.zeros([9, 2], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = ((None, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[1].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((1.0, torch.tensor([], dtype=torch.float32).reshape((0, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
