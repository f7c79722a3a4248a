# programs, export_strict.auto on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0, u1} not in returned outputs FakeTensor(..., size=(2, s11 + u0 + u1)) ((Max(1, s11 + u0 + u1), 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3_a, v3_b, v3_c, v3_d = x1.sort().values.unbind()
    v3_0 = x0 + F.pad(x0, (v3_a, v3_b)).sum()
    v3 = v3_0
    v3 += x2 * 2
    v4 = v3
    return (v4,)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32), torch.zeros([4], dtype=torch.int64), torch.zeros([], dtype=torch.float32))
dynamic_shapes = (({1: torch.export.Dim.AUTO}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([4, 7, 5, 0], dtype=torch.int64), torch.tensor([-2.1787893772125244], dtype=torch.float32).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
