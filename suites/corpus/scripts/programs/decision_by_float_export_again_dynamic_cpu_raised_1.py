# programs, export_again.dynamic on cpu: RAISED AssertionError: Guard failed: args_0.size()[0] | args_0.size()[0] == 10
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, s1):
    v2_0 = torch.lerp(x0, x0 * 2, s1)
    v2_1 = v2_0 + v2_0[-1 - torch.Size((2, x0.shape[0] | x0.shape[0])).numel() % v2_0.shape[0]]
    v2 = v2_1
    return (v2,)
reference = program
example = (torch.zeros([10], dtype=torch.float32), 1.0)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32), 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
