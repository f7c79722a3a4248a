# torch_api, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a)! - You marked a as dynamic but your code specialized it to be a constant (5). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0.reshape_as(x1)
    return parts(v0)
reference = program
example = (torch.zeros([10, 5], dtype=torch.float32), torch.zeros([5, 2, 5], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = (({1: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((10, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 2, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
