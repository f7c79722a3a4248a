# torch_api, export_strict.dynamic on cpu: RAISED build raised Unsupported: Shape mismatch with out= tensor variant
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.bmm(x0, x1)
    v1 = v0.new_empty([0])
    v2 = torch.bmm(x0, x1, out=v1)
    return parts(v2)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.int64), torch.zeros([2, 2, 2], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1], dtype=torch.int64).reshape((2, 2, 2)), torch.tensor([7, 1, 5, -4, 4, 1, -2, 0], dtype=torch.int64).reshape((2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
