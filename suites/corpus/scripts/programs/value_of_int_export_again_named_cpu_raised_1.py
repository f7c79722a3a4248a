# programs, export_again.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (4 % (a)) < (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1):
    v2_0 = x0 + x0[4 % x0.shape[0]]
    v2_1 = v2_0 * (torch.arange(v2_0.shape[0], device=v2_0.device) < n1).reshape(-1, *[1] * (v2_0.dim() - 1))
    v2 = v2_1
    return (v2,)
reference = program
example = (torch.zeros([2], dtype=torch.float32), 2)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), 2, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
