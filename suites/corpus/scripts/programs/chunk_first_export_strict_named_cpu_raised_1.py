# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard ((1 + L['args'][0].size()[0] + (L['args'][0].size()[0] // 3)) // (1 + (L['args'][0].size()[0] // 3))) ==
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.chunk(3, -1)[0]
    return (v1,)
reference = program
example = (torch.zeros([9, 10], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a + 1},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
