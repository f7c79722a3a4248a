# torch_api, export_strict.auto on cpu: RAISED RuntimeError: Expected index torch.Size([s6, s11, 1]) to be no larger than self torch.Size([1, 5, 9]) apart from dimension 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.masked.median(x0, 2)
    return parts(v0)

def program(x0):

    def loss(x0):
        return sum((part.sum() for part in inner(x0) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
reference = program
example = (torch.zeros(360, dtype=torch.bfloat16).as_strided([8, 9, 5], [5, 40, 1], 0),)
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.0, -3.0, -2.0, -2.0, -1.0, -1.0, 3.0, 3.0, -1.0, -2.0, 2.0, 3.0, 1.0, -2.0, -1.0, 3.0, 0.0, 1.0, 2.0, 3.0, -3.0, -2.0, 3.0, -1.0, 2.0, 2.0, 1.0, 2.0, 1.0, -2.0, -3.0, -1.0, -2.0, 3.0, 0.0, -2.0, -2.0, -3.0, -1.0, -1.0, -3.0, 2.0, -3.0, 0.0, 1.0], dtype=torch.bfloat16).reshape((1, 5, 9)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
