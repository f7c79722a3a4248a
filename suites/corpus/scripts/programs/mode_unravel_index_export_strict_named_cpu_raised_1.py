# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = x0.mode(1, False).values
    v3 = torch.stack(torch.unravel_index(x1, v2.shape))
    return (v3,)
reference = program
example = (torch.zeros([10, 2], dtype=torch.float32), torch.zeros([9, 1], dtype=torch.int64))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a + 1}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2)), torch.tensor([], dtype=torch.int64).reshape((0, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
