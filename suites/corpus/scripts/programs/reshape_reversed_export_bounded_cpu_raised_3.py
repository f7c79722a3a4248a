# programs, export.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min((a), (a)*(a)) == (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.reshape(x0.shape[::-1])
    return (v1,)
reference = program
example = (torch.zeros([9, 2, 9, 9], dtype=torch.float32),)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a, 2: a, 3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(432, generator=G).to(torch.float32).reshape((6, 2, 6, 6)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
