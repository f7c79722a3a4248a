# torch_api, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: math.trunc(0.5 * torch.sym_float(args_0.size()[2])) == 4
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.fractional_max_pool2d(x0, (4, 4), output_ratio=(0.5, 0.5))
    return parts(v0)
reference = program
example = (torch.zeros([1, 2, 9, 9], dtype=torch.float32),)
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(98, generator=G).to(torch.float32).reshape((1, 2, 7, 7)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
