# torch_api, export.bounded on cpu: RAISED RuntimeError: The size of tensor a (3) must match the size of tensor b (s33) at non-singleton dimension 0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.ops.aten.hardswish_backward.default(x0, x1)
    return parts(v0)

def program(x0, x1):

    def loss(x0, x1):
        return sum((part.sum() for part in inner(x0, x1) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0, 1))(x0, x1)
reference = program
example = (torch.zeros([8], dtype=torch.float32), torch.zeros([8], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244], dtype=torch.float32), torch.tensor([0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
