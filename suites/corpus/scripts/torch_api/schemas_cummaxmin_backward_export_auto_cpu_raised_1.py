# torch_api, export.auto on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(64*u0, 0) (unhinted: Eq(s7*s81*u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x1[x3]
    v1 = torch.ops.aten.cummaxmin_backward.default(x0, v0, x2, 1)
    return parts(v1)
reference = program
example = (torch.zeros([3, 8, 8], dtype=torch.float32), torch.zeros([11, 8, 8], dtype=torch.float32), torch.zeros([3, 4, 6], dtype=torch.int64), torch.zeros([11], dtype=torch.bool))
dynamic_shapes = (({1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}, {}, {0: torch.export.Dim.AUTO}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((3, 0, 0)), torch.tensor([], dtype=torch.float32).reshape((3, 0, 0)), torch.full((72,), 0, dtype=torch.int64).reshape((3, 4, 6)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
