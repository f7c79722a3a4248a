# programs, export_again.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) // 2) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.cond(x1, lambda part: part[:part.shape[0] // 2].sin(), lambda part: part * 2, (x0,))
    return (v2,)
reference = program
example = (torch.zeros([9, 2, 2, 2], dtype=torch.float32), torch.zeros([], dtype=torch.bool))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 2, 2)), torch.tensor([True], dtype=torch.bool).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
