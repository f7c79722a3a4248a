# torch_api, export.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2, x3):
    v0 = x0[x3]
    v1 = torch.scatter_add(v0, 1, x1, x2)
    return parts(v1)

def program(x0, x1, x2, x3):
    return torch.vmap(inner, in_dims=(0, 0, 0, None))(x0, x1, x2, x3)
reference = program
example = (torch.zeros([17, 11, 8], dtype=torch.int64), torch.zeros([17, 5, 5], dtype=torch.int64), torch.zeros([17, 5, 5], dtype=torch.int64), torch.zeros([11], dtype=torch.bool))
batch = torch.export.Dim('batch', min=1)
a = torch.export.Dim('a', min=5)
dynamic_shapes = (({0: batch, 1: a + 3, 2: a}, {0: batch}, {0: batch}, {0: a + 3}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1, 7, 1, 5, -4, 4, 1, -2, 0, 0, -2, 0, 5, 2, 5, 7, -2, 0, 7, -3, -1, -3, 0, -3, -4, 7, 8, -1, 7, 6, 5, -3, 0], dtype=torch.int64).reshape((1, 8, 5)), torch.tensor([3, 3, 1, 4, 1, 2, 3, 0, 2, 1, 0, 4, 3, 1, 1, 0, 3, 1, 1, 2, 4, 1, 3, 4, 0], dtype=torch.int64).reshape((1, 5, 5)), torch.tensor([-4, -4, -4, 6, 0, 3, 1, 4, 6, 0, 1, 7, 0, 1, 8, 6, 9, 8, -1, 9, 5, -3, 1, -1, 4], dtype=torch.int64).reshape((1, 5, 5)), torch.tensor([False, True, False, True, True, True, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
