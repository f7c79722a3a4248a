# programs, export_decomposed.named on cpu: RAISED build raised AssertionError: Expected op to be '==', got <= for 10/3 <= a
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = x2[x0, :, x0]
    v4 = F.embedding_bag(x1, v3, mode='sum')
    return (v4,)
reference = program
example = (torch.zeros([8], dtype=torch.int64), torch.zeros([2, 8], dtype=torch.int64), torch.zeros([8, 8, 8], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a}, {1: a}, {0: a, 1: a, 2: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([0], dtype=torch.int64), torch.tensor([0, 0], dtype=torch.int64).reshape((2, 1)), torch.tensor([0.3643381893634796], dtype=torch.float32).reshape((1, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
