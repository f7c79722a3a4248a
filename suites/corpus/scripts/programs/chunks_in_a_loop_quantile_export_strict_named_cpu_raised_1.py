# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard ((3 + L['args'][0].size()[0]) // 4) == 3.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.quantile(x0, 1.0, 1, keepdim=False, interpolation='nearest')
    v2_parts = []
    for v2_part in v1.split(4):
        v2_parts.append(v2_part * 2)
    v2 = torch.cat(v2_parts)
    return (v2,)
reference = program
example = (torch.zeros([10, 2], dtype=torch.float32),)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-0.9669345021247864, 2.1684327125549316], dtype=torch.float32).reshape((1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
