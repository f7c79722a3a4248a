# torch_api, export.auto on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 2) (unhinted: Eq(u0, 2)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5):
    v0 = x2[x5]
    v1 = torch._chunk_cat([x0, x1, v0, x3, x4], 1, 3)
    return parts(v1)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.uint16), torch.zeros([2, 2, 1, 2], dtype=torch.uint16), torch.zeros([5, 2], dtype=torch.uint16), torch.zeros([2, 2, 2], dtype=torch.uint16), torch.zeros([2, 2, 2], dtype=torch.uint16), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0, 65535, 3, 65534, 65533, 5, 9, 65535], dtype=torch.uint16).reshape((2, 2, 2)), torch.tensor([7, 1, 5, 65532, 4, 1, 65534, 0], dtype=torch.uint16).reshape((2, 2, 1, 2)), torch.tensor([0, 65534, 0, 5, 2, 5, 7, 65534, 0, 7], dtype=torch.uint16).reshape((5, 2)), torch.tensor([65533, 65535, 65533, 0, 65533, 65532, 7, 8], dtype=torch.uint16).reshape((2, 2, 2)), torch.tensor([65535, 7, 6, 5, 65533, 0, 0, 3], dtype=torch.uint16).reshape((2, 2, 2)), torch.tensor([True, False, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
