# programs, export.collection on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((2 + (a)) % (a)) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1, s2):
    v3_0 = F.pad(x0, (1, 1), value=s2)[..., 1:-1]
    v3_1 = v3_0 + v3_0[(x0.shape[1] + n1) % v3_0.shape[0]:].sum(0)
    v3 = v3_1
    return (v3,)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), 2, 1.0)
a = torch.export.Dim('a', min=1)
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a, 1: a}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), 2, 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
