# programs, export_again.dynamic on cpu: RAISED AssertionError: Guard failed: args_0.size()[2] * args_0.size()[1] == 81
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.flatten()
    v2_rows, v2_columns = torch.triu_indices(v1.shape[-1], v1.shape[-1], int(False), device=v1.device)
    v2 = (v1[..., :, None] - v1[..., None, :])[..., v2_rows, v2_columns]
    return (v2,)
reference = program
example = (torch.zeros([1, 9, 9], dtype=torch.float32),)
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
