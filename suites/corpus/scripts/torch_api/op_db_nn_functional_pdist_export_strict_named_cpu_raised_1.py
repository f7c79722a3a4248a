# torch_api, export_strict.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[1] == 8
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.nn.functional.pdist(x0)
    return parts(v0)

def program(x0):
    with torch.inference_mode():
        return inner(x0)
reference = program
example = (torch.zeros([8, 8], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
