# programs, export.collection on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard ((math.trunc(1.5*torch.sym_float(L['args'][0].size()[0]))) % (L['args'][0].size()[0]*math.trunc(1.5*torch
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='nearest')
    return (v1,)
reference = program
example = (torch.zeros(200, dtype=torch.bfloat16).as_strided([10, 2, 10], [10, 100, 1], 0),)
a = torch.export.Dim('a', min=1)
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a, 2: a}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5390625, -0.29296875], dtype=torch.bfloat16).reshape((1, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
