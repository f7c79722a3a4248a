# programs, export_again.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3 = torch.linalg.multi_dot((x0, x1, x2))
    return (v3,)
reference = program
example = (torch.zeros([9, 10], dtype=torch.float32), torch.zeros([10, 9], dtype=torch.float32), torch.zeros([9, 1], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a + 1}, {0: a + 1, 1: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1)), torch.tensor([], dtype=torch.float32).reshape((1, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
