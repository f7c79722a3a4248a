# programs, export_strict.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (-2) + 2*((1 + (a)) // 2) < 1 + (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.lp_pool1d(x0, 2.0, 3, stride=2, ceil_mode=True)
    return (v1,)
reference = program
example = (torch.zeros([11, 2, 12], dtype=torch.float32),)
a = torch.export.Dim('a', min=2)
dynamic_shapes = (({0: a, 2: a + 1},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((2, 2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
