# programs, export_decomposed.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0], …)! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If 
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.take_along_dim(x0, x1, 0)
    return (v2,)
reference = program
example = (torch.zeros([9, 9], dtype=torch.float32), torch.zeros([1, 9], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), torch.tensor([], dtype=torch.int64).reshape((1, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
