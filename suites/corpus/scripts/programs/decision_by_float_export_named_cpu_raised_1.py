# programs, export.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[1] in the specified range satisfy the generated guard round(L['args'][0].size()[1] / 2) == 5.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0, s1):
    v2_0 = F.layer_norm(x0, x0.shape[-1:], eps=abs(math.sin(round(x0.shape[1] / 2)) + s1) + 0.01)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([2, 10], dtype=torch.float32), 1.0)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({1: a}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1)), 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
