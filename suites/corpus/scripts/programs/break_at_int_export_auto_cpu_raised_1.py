# programs, export.auto on cpu: RAISED AssertionError: Guard failed: 0.01 + torch.sym_float(1 + -1 * (args_0.size()[0] // 3) % 3) == 1.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1):
    v2_0 = F.rms_norm(x0, x0.shape[-1:], eps=abs(-(x0.shape[0] // 3) % 3 + n1) + 0.01)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([10, 2], dtype=torch.float32), 1)
dynamic_shapes = (({0: torch.export.Dim.AUTO}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((3, 2)), 1, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
