# programs, export_saved.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) + (-1)*((1 + (a)) % 4)) != 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1):
    v2_0 = x0 + x0[..., (x0.shape[1] + n1) % 4:x0.shape[1] + n1].sum()
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([2, 9, 9], dtype=torch.float32), 1)
a = torch.export.Dim('a')
dynamic_shapes = (({1: a, 2: a}, None),)

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
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0, 0)), 1, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
