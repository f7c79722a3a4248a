# torch_api, export.bounded on cpu: RAISED build raised RuntimeError: Cannot call numel() on tensor with symbolic sizes/strides
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.cov(x0, fweights=x1)
    return parts(v0)

def program(x0, x1):
    with torch.inference_mode():
        return inner(x0, x1)
reference = program
example = (torch.zeros([1, 8], dtype=torch.float32), torch.zeros([8], dtype=torch.int32))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({1: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape((1, 1)), torch.tensor([7], dtype=torch.int32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
