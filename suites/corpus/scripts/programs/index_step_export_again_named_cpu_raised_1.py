# programs, export_again.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: 2*(a)*(a) >= 2*(a)*((1 + (a)) // 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = x0[x1, ::2]
    return (v2,)
reference = program
example = (torch.zeros(400, dtype=torch.float32).as_strided([10, 10, 2, 2], [1, 10, 100, 200], 0), torch.zeros([1, 2], dtype=torch.int64))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a, 1: a}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -2.1787893772125244, -0.293428897857666, 0.5684312582015991], dtype=torch.float32).as_strided((1, 1, 2, 2), (1, 1, 1, 2)), torch.tensor([0, 0], dtype=torch.int64).reshape((1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
