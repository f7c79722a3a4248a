# programs, export_decomposed.named on cpu: RAISED build raised AssertionError: Cannot create Dim with inconsistent min=1, max=-oo
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2_n = (x0 == x0).to(torch.int64).cumprod(-1).sum(-1).unsqueeze(-1)
    v2 = torch.where(torch.arange(x0.shape[1], device=x0.device) < v2_n, x0, -1)
    v3_p = F.pad(x1, (0, -x1.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)
    v3 = (v3_p + v3_p.new_zeros(8)).flatten(-2)[..., :x1.shape[-1]]
    return (v2, v3)
reference = program
example = (torch.zeros(155, dtype=torch.int64).as_strided([7, 22], [22, 1], 1), torch.zeros(686, dtype=torch.float32).as_strided([7, 7, 14], [14, 98, 1], 0))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c')
dynamic_shapes = (({0: a, 1: b}, {0: a, 1: a, 2: c}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.int64).reshape((0, 32)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 33)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
