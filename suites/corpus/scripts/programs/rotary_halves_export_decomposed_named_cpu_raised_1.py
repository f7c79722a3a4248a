# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) // 2) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_first = x0[..., :x0.shape[-1] // 2]
    v2_second = x0[..., x0.shape[-1] // 2:]
    v2 = x0 * x1 + torch.cat((-v2_second, v2_first), dim=-1) * x1
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 10, 9], dtype=torch.float32), torch.zeros([10, 9], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = (({2: a + 1, 3: a}, {0: a + 1, 1: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 1, 0)), torch.tensor([], dtype=torch.float32).reshape((1, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
