# programs, export_strict.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (-1) + (-1)*(5 % (a)) >= (-1)*(a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1, s2):
    v3_0 = x0 + x0[-1 - 5 % x0.shape[0]]
    v3_1 = v3_0 + torch.linalg.vector_norm(v3_0, ord=abs(s2) + 1)
    v3_2 = v3_1 + v3_1[::n1 + 1].sum(0)
    v3 = v3_2
    return (v3,)
reference = program
example = (torch.zeros([2], dtype=torch.float32), 2, 1.0)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a}, None, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-1.206337332725525, 0.3262878358364105], dtype=torch.float32), 2, 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
