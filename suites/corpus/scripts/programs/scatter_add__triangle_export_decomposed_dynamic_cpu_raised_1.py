# programs, export_decomposed.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[1])! - You marked L['args'][0].size()[1] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = x0.scatter_add_(0, x1, x0 * 2)
    v3_rows, v3_columns = torch.triu_indices(x0.shape[-1], x0.shape[-1], int(False), device=x0.device)
    v3 = (x0[..., :, None] - x0[..., None, :])[..., v3_rows, v3_columns]
    return (v3,)
reference = program
example = (torch.zeros([9, 9], dtype=torch.float32), torch.zeros([9, 9], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), torch.tensor([], dtype=torch.int64).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
