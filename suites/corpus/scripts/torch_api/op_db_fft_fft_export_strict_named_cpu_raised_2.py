# torch_api, export_strict.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[2] == 5
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.fft.fft(x0, norm='ortho')
    return parts(v0)

def program(x0):
    with torch.inference_mode():
        return inner(x0)
reference = program
example = (torch.zeros([2, 2, 5], dtype=torch.float32),)
c = torch.export.Dim('c', min=1)
dynamic_shapes = (({2: c},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
