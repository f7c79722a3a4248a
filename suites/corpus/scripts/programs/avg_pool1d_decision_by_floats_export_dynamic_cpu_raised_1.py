# programs, export.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + abs(6.0 + torch.sym_float(args_0.size()[0])) == 18.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, s1):
    v2 = F.avg_pool1d(x0, 2, stride=1, padding=0, ceil_mode=False, count_include_pad=False)
    v3_0 = F.layer_norm(v2, v2.shape[-1:], eps=abs(v2.shape[0] + s1 + s1) + 0.01)
    v3 = v3_0
    return (v3,)
reference = program
example = (torch.zeros([12, 2, 11], dtype=torch.float32), 3.0)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(112, generator=G).to(torch.float32).reshape((8, 2, 7)), 3.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
