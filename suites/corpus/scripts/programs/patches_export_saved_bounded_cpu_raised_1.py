# programs, export_saved.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(2 + 2*(b), 4 + 4*(b), 8 + 8*(b)) == (2 + 2*(b))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.unfold(x0, 2, stride=1, padding=1)
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 10, 1], dtype=torch.float32),)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({2: b},),)

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
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(2) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
