# torch_api, export_strict.named on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0} not in returned outputs (FakeTensor(..., size=(1, s11, s37), dtype=torch.uint8), FakeTensor(..., size=(3, s11, s37), dtype=torch.uint8), FakeTensor(..., size=(1, s11, s37), dtype=
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.split_with_sizes(x0, (1, x1, 1))
    return parts(v0)
reference = program
example = (torch.zeros([5, 8, 8], dtype=torch.uint8), torch.zeros([], dtype=torch.int64))
a = torch.export.Dim('a')
dynamic_shapes = (({1: a, 2: a}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.uint8).reshape((5, 0, 0)), torch.tensor([3], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
