# programs, export_saved.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min((a), (a)*(a)) == (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.cross_entropy(x0.flatten(0, 1), x1.flatten(), reduction='sum')
    return (v2,)
reference = program
example = (torch.zeros([10, 10, 10], dtype=torch.float32), torch.zeros([10, 10], dtype=torch.int64))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a, 1: a, 2: a}, {0: a, 1: a}),)

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
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape((1, 1, 1)), torch.tensor([0], dtype=torch.int64).reshape((1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
