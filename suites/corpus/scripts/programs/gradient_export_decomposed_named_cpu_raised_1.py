# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (b)! - You marked b as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eithe
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.gradient(x0, dim=0)[0]
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 2, 9], dtype=torch.float32),)
b = torch.export.Dim('b')
dynamic_shapes = (({3: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
