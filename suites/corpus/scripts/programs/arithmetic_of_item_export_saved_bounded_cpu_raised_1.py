# programs, export_saved.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: max(2, (a)) <= (a)*(a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_n1 = x0.item()
    v2_0 = x1 * (x1 > max(pow(x1.shape[1], 2), max(x1.shape[1], 2), 3) + v2_n1)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([], dtype=torch.int64), torch.zeros([2, 9], dtype=torch.float32))
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
    ((torch.tensor([4], dtype=torch.int64).reshape(()), torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
