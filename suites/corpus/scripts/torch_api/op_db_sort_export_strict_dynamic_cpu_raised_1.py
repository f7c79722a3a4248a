# torch_api, export_strict.dynamic on cpu: RAISED RuntimeError: Expected index torch.Size([s6, s11, s37]) to be no larger than src torch.Size([0, 9, 9])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.sort(x0, dim=-3)
    return parts(v0)

def program(x0):

    def loss(x0):
        return sum((part.sum() for part in inner(x0) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
reference = program
example = (torch.zeros([8, 9, 9], dtype=torch.float32),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 9, 9)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
