# programs, export_decomposed.named on cpu: RAISED build raised AssertionError: Cannot create Dim with inconsistent min=0, max=-oo
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1_p = F.pad(x0, (0, -x0.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)
    v1 = (v1_p + v1_p.new_zeros(8)).flatten(-2)[..., :x0.shape[-1]]
    v2_n = v1.shape[0] // 2
    v2_c = v1[:v2_n].clone()
    v1[:v2_n] = v1[v2_n:2 * v2_n]
    v1[v2_n:2 * v2_n] = v2_c
    v2 = v1
    return (v2,)
reference = program
example = (torch.zeros([1, 2, 9], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({2: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
