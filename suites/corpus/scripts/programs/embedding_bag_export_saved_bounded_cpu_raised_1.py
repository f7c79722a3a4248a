# programs, export_saved.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (((-1) + 3*(a)) // (a)) >= 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.embedding_bag(x1, x0, mode='mean')
    return (v2,)
reference = program
example = (torch.zeros([3, 2], dtype=torch.float32), torch.zeros([2, 10], dtype=torch.int32))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({}, {1: a}),)

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
    if 3 <= args[1].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((3, 2)), torch.tensor([0, 0], dtype=torch.int32).reshape((2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
