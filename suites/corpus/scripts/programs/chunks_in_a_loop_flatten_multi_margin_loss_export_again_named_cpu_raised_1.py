# programs, export_again.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard ((3 + L['args'][0].size()[0]) // 4) == 3.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3_parts = []
    for v3_part in x0.split(4):
        v3_parts.append(v3_part * 2)
    v3 = torch.cat(v3_parts)
    v4 = F.multi_margin_loss(x1, x2, margin=0.5, reduction='mean')
    v5 = v4.flatten()
    return (v3, v5)
reference = program
example = (torch.zeros([10], dtype=torch.float32), torch.zeros([3, 10], dtype=torch.float32), torch.zeros([3], dtype=torch.int64))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a}, {1: a}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32), torch.tensor([-0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((3, 1)), torch.tensor([0, 0, 0], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
