# programs, export.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3):
    v4 = torch.linalg.multi_dot((x1, x2, x3))
    v5 = torch.tril_indices(x0.shape[0], x0.shape[0], device=x0.device)
    return (v4, v5)
reference = program
example = (torch.zeros([9], dtype=torch.int64), torch.zeros([2, 12], dtype=torch.float32), torch.zeros([12, 1], dtype=torch.float32), torch.zeros([1, 1], dtype=torch.float32))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({0: a}, {1: b}, {0: b}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.int64), torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 1)), torch.tensor([1.5409960746765137], dtype=torch.float32).reshape((1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
