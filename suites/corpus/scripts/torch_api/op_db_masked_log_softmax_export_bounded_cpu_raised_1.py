# torch_api, export.bounded on cpu: RAISED build raised RuntimeError: Cannot call storage_offset() on tensor with symbolic sizes/strides
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.masked.log_softmax(x0, 2, mask=x1)
    return parts(v0)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0, x1), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
example = (torch.zeros([2, 2, 5], dtype=torch.float32), torch.zeros(10, dtype=torch.bool).as_strided([2, 5], [1, 2], 0))
c = torch.export.Dim('c', min=3, max=16)
dynamic_shapes = (({2: c}, {1: c}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(2) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 0)), torch.tensor([], dtype=torch.bool).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
