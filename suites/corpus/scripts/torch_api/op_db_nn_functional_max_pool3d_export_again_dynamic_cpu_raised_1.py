# torch_api, export_again.dynamic on cpu: RAISED AssertionError: Guard failed: args_0.size()[4] // 2 == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.max_pool3d(x0, kernel_size=(3, 2, 3), stride=2, ceil_mode=True, padding=0, dilation=(1, 2, 1), return_indices=True)
    return parts(v0)
reference = program
example = (torch.zeros([1, 8, 9, 5, 2], dtype=torch.float32),)
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC, 4: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(6272, generator=G).to(torch.float32).reshape((1, 16, 7, 7, 8)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
