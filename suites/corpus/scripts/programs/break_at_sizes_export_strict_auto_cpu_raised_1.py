# programs, export_strict.auto on cpu: RAISED build raised ValueError: Unknown format code 'd' for object of type 'str'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_0 = x0.clamp(min=(lambda k: len(f'{k:03d}'))(x0.shape[1]))
    v1 = v1_0
    return (v1,)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32),)
dynamic_shapes = (({1: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
