# torch_api, export.collection on cpu: RAISED AssertionError: Guard failed: args_0.size()[0] * args_0.size()[1] == 72
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.std_mean(x0, True)
    return parts(v0)
reference = program
example = (torch.zeros(144, dtype=torch.complex128).as_strided([8, 9], [18, 2], 0),)
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a, 1: b}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.complex128).reshape((16, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
