# programs, export.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[3], …)! - You marked L['args'][0].size()[3] as dynamic but your code specialized it to be a constant (4). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.scaled_dot_product_attention(x0.transpose(1, 2), x1.transpose(1, 2), x2.transpose(1, 2)).transpose(1, 2)
    return (v3,)
reference = program
example = (torch.zeros([3, 2, 3, 4], dtype=torch.float32), torch.zeros([3, 24, 3, 4], dtype=torch.float32), torch.zeros([3, 24, 3, 4], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 0, 1)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 0, 1)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 0, 4)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
