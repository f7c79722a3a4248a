# torch_api, draft_export.named on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u5, u4, u3} not in returned outputs FakeTensor(..., size=(s33, s50, 2), dtype=torch.int64) ((2*s50, 2, 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.unravel_index(x0, (5, 8))
    return parts(v0)
reference = program
example = (torch.zeros([8, 8], dtype=torch.int8),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.int8).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
