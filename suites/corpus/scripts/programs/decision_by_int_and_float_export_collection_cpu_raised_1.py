# programs, export.collection on cpu: RAISED build raised Tautology: Constraints violated by no declared size: 0 <= (a) + ((-1)*min(3, (a)))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1, s2):
    v3_0 = x0.masked_fill(x0 > 0, s2)
    v3_1 = v3_0 + v3_0.narrow(0, 0, min(n1, v3_0.shape[0])).sum(0)
    v3 = v3_1
    return (v3,)
reference = program
example = (torch.zeros([3, 2], dtype=torch.float32), 3, 1.0)
a = torch.export.Dim('a')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((3, 2)), 3, 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
