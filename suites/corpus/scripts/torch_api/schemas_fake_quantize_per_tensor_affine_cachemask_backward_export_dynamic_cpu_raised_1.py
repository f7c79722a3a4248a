# torch_api, export.dynamic on cpu: RAISED RuntimeError: `mask` and `dY` are not the same size: `mask` is size 0 and `dY` is size s33
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.ops.aten.fake_quantize_per_tensor_affine_cachemask_backward.default(x0, x1)
    return parts(v0)

def program(x0, x1):

    def loss(x0):
        return sum((part.sum() for part in inner(x0, x1) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
reference = program
example = (torch.zeros([8], dtype=torch.float32), torch.zeros([8], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32), torch.tensor([], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
