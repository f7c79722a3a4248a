# torch_api, export_strict.auto on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u1} not in returned outputs [FakeTensor(..., size=(s27, s11, s37, s46), dtype=torch.bfloat16), FakeTensor(..., size=(s27,), dtype=torch.bool)] .
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    return parts(v0)

def program(x0, x1):
    return torch.utils.checkpoint.checkpoint(inner, x0, x1, use_reentrant=False)
reference = program
example = (torch.zeros([11, 8, 8, 8], dtype=torch.bfloat16), torch.zeros([11], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.bfloat16).reshape((3, 0, 0, 0)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
