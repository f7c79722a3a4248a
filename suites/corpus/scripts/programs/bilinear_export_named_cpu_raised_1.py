# programs, export.named on cpu: RAISED build raised UserError: Constraints violated (c)! - You marked c as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.bilinear(x0, x1, x2, x3)
    return (v4,)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros([2, 10], dtype=torch.float32), torch.zeros([10, 2, 10], dtype=torch.float32), torch.zeros([10], dtype=torch.float32))
c = torch.export.Dim('c', min=1)
dynamic_shapes = (({}, {1: c}, {0: c, 2: c}, {0: c}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([-1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((2, 1)), torch.tensor([0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((1, 2, 1)), torch.tensor([-0.7192575931549072], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
