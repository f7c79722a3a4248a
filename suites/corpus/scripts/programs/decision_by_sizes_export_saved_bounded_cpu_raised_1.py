# programs, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[3] in the specified range 3 <= a <= 16 satisfy the generated guard math.floor(L['args'][0].size()[3] / 5) >= ((math.floor(L['args'][0].size()[3] / 5)) % 4).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import math

def program(x0):
    v1_0 = x0 + x0[..., math.floor(x0.shape[3] / 5) % 4:math.floor(x0.shape[3] / 5)].sum()
    v1 = v1_0
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 2, 9], dtype=torch.float32),)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({3: a},),)

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
    if 3 <= args[0].size(3) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
