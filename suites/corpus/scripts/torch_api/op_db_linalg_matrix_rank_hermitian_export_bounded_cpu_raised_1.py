# torch_api, export.bounded on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a as dynamic but your code specialized it to be a constant (8). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.linalg.matrix_rank(x0)
    v1 = v0.new_empty([0])
    v2 = torch.linalg.matrix_rank(x0, out=v1)
    return parts(v2)
reference = program
example = (torch.zeros([8, 9, 9], dtype=torch.float32),)
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: a, 1: b, 2: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
