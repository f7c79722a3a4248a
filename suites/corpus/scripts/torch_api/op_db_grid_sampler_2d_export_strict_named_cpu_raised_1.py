# torch_api, export_strict.named on cpu: RAISED build raised UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.grid_sampler_2d(x0, x1, x2, 2, False)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2, 2], dtype=torch.bool), torch.zeros([2, 2, 0, 2], dtype=torch.bool), torch.zeros([], dtype=torch.int64))
f = torch.export.Dim('f')
dynamic_shapes = (({}, {2: f}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([True, False, True, True, True, False, True, False, True, False, True, True, True, True, True, False], dtype=torch.bool).reshape((2, 2, 2, 2)), torch.tensor([], dtype=torch.bool).reshape((2, 2, 0, 2)), torch.tensor([0], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
