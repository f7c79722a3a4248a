# torch_api, export.dynamic on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u2, u1, u3} not in returned outputs FakeTensor(..., size=(u0, 4)) ((4, 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, n0):
    v0 = torch.combinations(x0, r=n0, with_replacement=True)
    return parts(v0)
reference = program
example = (torch.zeros([1], dtype=torch.float32), 4)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([51.42521286010742], dtype=torch.float32), 4, ), {}),
    ((torch.tensor([51.42521286010742], dtype=torch.float32), 4, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
