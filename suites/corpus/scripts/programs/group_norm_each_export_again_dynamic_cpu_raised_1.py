# programs, export_again.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[1], …)! - You marked L['args'][0].size()[1] as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.group_norm(x0, x0.shape[1], x1)
    return (v2,)
reference = program
example = (torch.zeros([1, 10, 2], dtype=torch.float32), torch.zeros([10], dtype=torch.float32))
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 1, 2)), torch.tensor([-2.1787893772125244], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
