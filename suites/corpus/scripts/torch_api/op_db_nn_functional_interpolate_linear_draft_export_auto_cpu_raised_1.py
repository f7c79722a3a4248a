# torch_api, draft_export.auto on cpu: RAISED AssertionError: Guard failed: math.trunc(0.6 * torch.sym_float(args_0.size()[2])) > 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.interpolate(x0, scale_factor=0.6, mode='linear', align_corners=True)
    return parts(v0)
reference = program
example = (torch.zeros(361, dtype=torch.float32).as_strided([8, 9, 5], [45, 5, 1], 1),)
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.full((340,), 0.0, dtype=torch.float32).reshape((10, 17, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
