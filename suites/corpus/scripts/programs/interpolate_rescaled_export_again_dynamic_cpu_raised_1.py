# programs, export_again.dynamic on cpu: RAISED AssertionError: Guard failed: args_0.size()[1] * math.trunc(1.5 * torch.sym_float(args_0.size()[3])) < args_0.size()[1] * math.trunc(1.5 * torch.sym_float(args_0.size()[2])) * math.trunc(1.5 * torch.sym_float(args_0.size()[3]))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='bilinear', recompute_scale_factor=True)
    return (v1,)
reference = program
example = (torch.zeros(1134, dtype=torch.float16).as_strided([2, 9, 7, 9], [567, 1, 81, 9], 0),)
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-2.0, 3.0, -3.0, -3.0, 3.0, 0.0, 2.0, -3.0], dtype=torch.float16).as_strided((2, 2, 1, 2), (4, 1, 4, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
