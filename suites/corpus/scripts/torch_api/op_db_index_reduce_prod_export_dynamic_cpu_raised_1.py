# torch_api, export.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x3.item()
    v1 = torch.index_reduce(x0, v0, x1, x2, 'prod')
    return parts(v1)
reference = program
example = (torch.zeros([2, 2, 5], dtype=torch.uint8), torch.zeros([2], dtype=torch.int64), torch.zeros([2, 2, 5], dtype=torch.uint8), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([4, 9, 3, 0, 3, 9, 7, 3, 7, 3, 1, 6, 6, 9, 8, 6, 6, 8, 4, 3], dtype=torch.uint8).reshape((2, 2, 5)), torch.tensor([0, 1], dtype=torch.int64), torch.tensor([1, 4, 4, 1, 9, 9, 9, 0, 1, 2, 3, 0, 5, 5, 2, 9, 1, 8, 8, 3], dtype=torch.uint8).reshape((2, 2, 5)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
