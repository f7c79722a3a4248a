# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((c) + (((-1)*(c)) % 8)) == 8 or (((c) + (((-1)*(c)) % 8)) % 8) == 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1_p = F.pad(x0, (0, -x0.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)
    v1 = (v1_p + v1_p.new_zeros(8)).flatten(-2)[..., :x0.shape[-1]]
    return (v1,)
reference = program
example = (torch.zeros([21, 21, 4], dtype=torch.float32),)
a = torch.export.Dim('a')
c = torch.export.Dim('c')
dynamic_shapes = (({0: a, 1: a, 2: c},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(2673, generator=G).to(torch.float32).reshape((9, 9, 33)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
