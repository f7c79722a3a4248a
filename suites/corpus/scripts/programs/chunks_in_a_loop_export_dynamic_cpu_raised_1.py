# programs, export.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0])! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_parts = []
    for v1_part in x0.split(4):
        v1_parts.append(v1_part * 2)
    v1 = torch.cat(v1_parts)
    return (v1,)
reference = program
example = (torch.zeros([9, 1, 1, 1], dtype=torch.float32),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
