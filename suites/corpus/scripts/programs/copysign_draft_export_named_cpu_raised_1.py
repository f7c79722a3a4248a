# programs, draft_export.named on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0} not in returned outputs FakeTensor(..., size=(2, s50, u2, s87)) ((s50*s87*Max(1, u2), s87*Max(1, u2), s87, 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.copysign(x0, x0)
    return (v1,)
reference = program
example = (torch.zeros([2, 9, 1, 9], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({1: a, 3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0, 1, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
