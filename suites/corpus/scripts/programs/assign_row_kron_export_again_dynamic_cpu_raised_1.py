# programs, export_again.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[1], …)! - You marked L['args'][0].size()[1] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3 = torch.kron(x0, x1)
    x0[-1] = x2 + 1
    v4 = x0
    return (v3,)
reference = program
example = (torch.zeros([2, 9], dtype=torch.int64), torch.zeros([2, 2], dtype=torch.int64), torch.zeros([9], dtype=torch.int64))
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC}, {}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.int64).reshape((2, 0)), torch.tensor([0, -1, 3, -2], dtype=torch.int64).reshape((2, 2)), torch.tensor([], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
