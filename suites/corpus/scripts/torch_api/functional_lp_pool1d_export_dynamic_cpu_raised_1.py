# torch_api, export.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.nn.functional.lp_pool1d(x0, x2, x1)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([], dtype=torch.int64), torch.zeros([], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.6409960985183716, 0.39342889189720154, 2.2787892818450928, 0.668431282043457, 1.1845223903656006, 1.4985954761505127, 0.503346860408783, 0.9380263686180115], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([1], dtype=torch.int64).reshape(()), torch.tensor([1.5], dtype=torch.float32).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
