# torch_api, export.named on cpu: RAISED IndexError: The shape of the mask torch.Size([3]) at index 0 does not match the shape of the indexed tensor torch.Size([s50 + 3, s50, s50]) at index 0
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

    def loss(x0):
        return sum((part.sum() for part in inner(x0, x1) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
reference = program
example = (torch.zeros([11, 8, 8], dtype=torch.float32), torch.zeros([11], dtype=torch.bool))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a + 3, 1: a, 2: a}, {0: a + 3}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((3, 0, 0)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
