# programs, export_saved.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(3, (a)) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1):
    v2 = x0[:min(n1, x0.shape[0])]
    return (v2,)
reference = program
example = (torch.zeros([3], dtype=torch.uint8), 3)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a}, None),)

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
    ((torch.tensor([4, 9, 3], dtype=torch.uint8), 3, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
