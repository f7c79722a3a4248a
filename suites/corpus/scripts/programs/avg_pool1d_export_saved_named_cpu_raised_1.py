# programs, export_saved.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: 2*((a) // 2) < 1 + (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.avg_pool1d(x0, 3, stride=2, padding=1, ceil_mode=True, count_include_pad=False)
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 10], dtype=torch.float32),)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({2: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
