# programs, export.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[1] in the specified range satisfy the generated guard (((-1) + 3*L['args'][0].size()[1]) // L['args'][0].size()[1]) == 2.Specializations unexpectedly required
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2_gate, v2_up = F.linear(x1, x0).chunk(2, dim=-1)
    v2 = F.silu(v2_gate) * v2_up
    return (v2,)
reference = program
example = (torch.zeros([18, 9], dtype=torch.float32), torch.zeros([2, 2, 9], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = (({0: 2 * a, 1: a}, {2: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), torch.tensor([], dtype=torch.float32).reshape((2, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
