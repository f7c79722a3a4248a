# torch_api, export_strict.named on cpu: RAISED build raised UserError: Could not guard on data-dependent expression Eq(2*u0, 0) (unhinted: Eq(2*u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    return parts(v0)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0, x1), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
example = (torch.zeros(11, dtype=torch.float32).as_strided([5, 2], [2, 1], 1), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-3.0, -3.0, -1.0, 1.0, 0.0, -1.0, 1.0, -3.0, 3.0, -2.0], dtype=torch.float32).reshape((5, 2)), torch.tensor([True, True, False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
