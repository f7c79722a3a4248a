# programs, export_decomposed.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[2])! - You marked L['args'][0].size()[2] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.tril_indices(x0.shape[-1], x0.shape[-1], device=x0.device)
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 9], dtype=torch.float32),)
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
