# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (c + 1)! - You marked c + 1 as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it w
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.one_hot(x1, x0.shape[0])
    return (v2,)
reference = program
example = (torch.zeros([10], dtype=torch.uint8), torch.zeros([2], dtype=torch.int64))
c = torch.export.Dim('c')
dynamic_shapes = (({0: c + 1}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([4], dtype=torch.uint8), torch.tensor([0, 0], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
