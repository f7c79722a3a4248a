# programs, export_again.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2, v3 = x0.chunk(2, 0)
    v4 = F.interpolate(x1, scale_factor=2.0, mode='bicubic', align_corners=False)
    return (v3, v4)
reference = program
example = (torch.zeros([2], dtype=torch.float32), torch.zeros(16, dtype=torch.bfloat16).as_strided([2, 2, 2, 2], [8, 1, 4, 2], 0))
a = torch.export.Dim('a', min=2)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: a}, {0: a, 1: b, 2: a, 3: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.0, 0.0], dtype=torch.float32), torch.tensor([-3.0, 3.0, -3.0, 1.0, -1.0, -1.0, -2.0, -3.0, 3.0, -2.0, -2.0, 3.0, 3.0, 3.0, -1.0, -3.0], dtype=torch.bfloat16).as_strided((2, 2, 2, 2), (8, 1, 4, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
