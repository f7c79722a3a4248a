# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_parts = [x0[:0]]
    for v1_i in range(0, x0.shape[0], 8):
        v1_parts.append(x0[v1_i:v1_i + 8] + v1_i)
    v1 = torch.cat(v1_parts)
    return (v1,)
reference = program
example = (torch.zeros([10, 2, 9], dtype=torch.uint8),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a + 1, 2: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.uint8).reshape((1, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
