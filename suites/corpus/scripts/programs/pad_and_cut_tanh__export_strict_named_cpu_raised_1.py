# programs, export_strict.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) + (((-1)*(a)) % 8)) == 8 or (((a) + (((-1)*(a)) % 8)) % 8) == 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1_p = F.pad(x0, (0, -x0.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)
    v1 = (v1_p + v1_p.new_zeros(8)).flatten(-2)[..., :x0.shape[-1]]
    v2 = v1.tanh_()
    return (v2,)
reference = program
example = (torch.zeros([2, 6], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({1: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
