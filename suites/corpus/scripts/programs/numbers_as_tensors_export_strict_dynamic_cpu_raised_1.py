# programs, export_strict.dynamic on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0, u1} not in returned outputs FakeTensor(..., size=(2, u0 + u1 + 2), dtype=torch.float64) ((Max(1, u0 + u1 + 2), 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2_a, v2_b, v2_c, v2_d = x1.sort().values.unbind()
    v2_0 = x0 + F.pad(x0, (v2_a, v2_b)).sum()
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float64), torch.zeros([4], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([3.0, 2.0, -3.0, 1.0], dtype=torch.float64).reshape((2, 2)), torch.tensor([2, 4, 0, 6], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
