# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (L['args'][2].size()[0])! - The values of L['args'][2].size()[0] = L['args'][2].size()[0] must always be related to the values of a = L['args'][0].size()[0] by L['args'][2].size()[0] = 8*a.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1, x2):
    v3 = x0.repeat_interleave(n1, 0)
    v4 = torch.cat((v3[x2], v3[~x2]))
    return (v4,)
reference = program
example = (torch.zeros([9], dtype=torch.int32), 8, torch.zeros([72], dtype=torch.bool))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a}, None, {0: torch.export.Dim.AUTO}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0, -2147483648, 1073741823, 0, 1073741823, 1073741823, -2147483648, 0, 1, 2147483647, 1, 1073741823, 0, 0, 1073741823, -2147483648, 1, 0, 1073741823, 1073741823, 1], dtype=torch.int32), 8, torch.full((168,), True, dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
