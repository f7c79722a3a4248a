# programs, export.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((2*(a)) // (1 + (a))) < 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


class Holder(torch.nn.Module):

    def __init__(self, k):
        super().__init__()
        self.k = k

def program(x0):
    v1_0 = x0 + x0[::x0.shape[0] + 1].sum(0)
    v1_1 = torch.lerp(v1_0, v1_0 * 2, Holder(x0.shape[0]).k)
    v1 = v1_1
    return (v1,)
reference = program
example = (torch.zeros([9], dtype=torch.float32),)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a},),)

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

calls = [
    ((torch.tensor([204.6762237548828, 90.65424346923828], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
