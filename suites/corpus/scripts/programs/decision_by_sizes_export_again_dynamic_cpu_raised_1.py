# programs, export_again.dynamic on cpu: RAISED AssertionError: Guard failed: math.ceil((1 + args_0.size()[1]) / 5) % 6 != 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import math

def program(x0):
    v1_0 = x0 + x0.new_ones(1).expand(math.ceil((lambda k=x0.shape[1]: k + 1)() / 5) % 6).sum()
    v1 = v1_0
    return (v1,)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32),)
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
