# torch_api, export_decomposed.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression zuf0 (unhinted: zuf0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.trapezoid(x0, dx=x1)
    return parts(v0)
reference = program
example = (torch.zeros([2], dtype=torch.uint8), torch.zeros([], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([4, 9], dtype=torch.uint8), torch.tensor([2.0], dtype=torch.float32).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
