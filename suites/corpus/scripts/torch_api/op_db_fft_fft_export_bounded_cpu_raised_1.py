# torch_api, export.bounded on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 >= 1 (unhinted: u0 >= 1). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.fft.fft(x0, n=x1)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.uint32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if True:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([0, 4294967295, 3, 4294967294, 4294967293, 5, 9, 4294967295], dtype=torch.uint32).reshape((2, 2, 2)), torch.tensor([7], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
