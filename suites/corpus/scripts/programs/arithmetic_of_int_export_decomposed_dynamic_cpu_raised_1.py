# programs, export_decomposed.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + torch.sym_float(1 + args_1.size()[0]) == 14.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(n0, x1):
    v2_0 = F.layer_norm(x1, x1.shape[-1:], eps=abs(x1.shape[0] + n0) + 0.01)
    v2 = v2_0
    return (v2,)
reference = program
example = (1, torch.zeros([13], dtype=torch.float32))
dynamic_shapes = ((None, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((1, torch.tensor([0.060892462730407715], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
