# programs, export_again.named on cpu: RAISED build raised UserError: Constraints violated (a + 1)! - You marked a + 1 as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it wit
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.kron(x0, x1)
    return (v2,)
reference = program
example = (torch.zeros([10, 2], dtype=torch.int32), torch.zeros([2, 2], dtype=torch.int32))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a + 1}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0, -1], dtype=torch.int32).reshape((1, 2)), torch.tensor([3, -2, -3, 5], dtype=torch.int32).reshape((2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
