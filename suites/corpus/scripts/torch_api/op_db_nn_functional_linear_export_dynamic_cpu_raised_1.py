# torch_api, export.dynamic on cpu: RAISED build raised RuntimeError: Cannot call sizes() on tensor with symbolic sizes/strides
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.nn.functional.linear(x0, x1, x2)
    return parts(v0)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, 0))(x0, x1, x2)
reference = program
example = (torch.zeros([17, 2, 2, 17], dtype=torch.float32), torch.zeros([17, 17, 17], dtype=torch.float32), torch.zeros([17, 17], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((1, 2, 2, 1)), torch.tensor([-1.0845223665237427], dtype=torch.float32).reshape((1, 1, 1)), torch.tensor([-1.3985954523086548], dtype=torch.float32).reshape((1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
