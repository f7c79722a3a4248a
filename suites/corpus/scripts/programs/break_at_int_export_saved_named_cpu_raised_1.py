# programs, export_saved.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (2 % (b)) < (b)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(n0, x1):
    v2_0 = x1 + x1[n0 % x1.shape[0]]
    v2 = v2_0
    return (v2,)
reference = program
example = (2, torch.zeros([2], dtype=torch.float32))
b = torch.export.Dim('b', min=1)
dynamic_shapes = ((None, {0: b}),)

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
    ((2, torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
