# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (c)! - You marked c as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_rows, v1_columns = torch.triu_indices(x0.shape[-1], x0.shape[-1], int(False), device=x0.device)
    v1 = (x0[..., :, None] - x0[..., None, :])[..., v1_rows, v1_columns]
    return (v1,)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32),)
c = torch.export.Dim('c')
dynamic_shapes = (({1: c},),)

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
