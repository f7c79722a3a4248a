# torch_api, export.named on cpu: RAISED RuntimeError: Expected a tensor of dimension 4 and tensor.size[3] == ((s87//2)) + 1, but got : dimension 4 and tensor.size[3] = 9
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.AvgPool2d((2, 2), (2, 2), (1, 1), divisor_override=1).train()

def inner(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)

def program(x0):

    def loss(x0):
        return sum((part.sum() for part in inner(x0) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
reference = program
example = (torch.zeros([2, 2, 5, 2], dtype=torch.float32),)
c = torch.export.Dim('c', min=1)
d = torch.export.Dim('d', min=1)
dynamic_shapes = (({2: c, 3: d},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(256, generator=G).to(torch.float32).reshape((2, 2, 4, 16)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
