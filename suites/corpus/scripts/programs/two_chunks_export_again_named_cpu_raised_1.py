# programs, export_again.named on cpu: RAISED build raised UserError: Constraints violated (b)! - Not all values of b = L['args'][0].size()[0] in the specified range satisfy the generated guard (((-1) + L['args'][0].size()[0] + ((1 + L['args'][0].size()[0]) // 2)) // ((1 + L['args'][0].size()[0]) /
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.cat([part.cumsum(-1) for part in x0.chunk(2)], 0)
    return (v1,)
reference = program
example = (torch.zeros([9, 1], dtype=torch.float32),)
b = torch.export.Dim('b')
dynamic_shapes = (({0: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
