# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][1].size()[0] in the specified range satisfy the generated guard ((11 + L['args'][1].size()[0]) // 12) != 1.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(n0, x1):
    v2 = x1[::n0 + 1]
    v3 = v2.diff(1, 0)
    return (v3,)
reference = program
example = (11, torch.zeros([22, 2], dtype=torch.uint8))
a = torch.export.Dim('a')
dynamic_shapes = ((None, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((11, torch.tensor([], dtype=torch.uint8).reshape((0, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
