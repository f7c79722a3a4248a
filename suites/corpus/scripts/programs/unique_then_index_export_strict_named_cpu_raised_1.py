# programs, export_strict.named on cpu: RAISED build raised UserError: Could not extract specialized integer from data-dependent expression u1 (unhinted: u1). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_values, v1_inverse = torch.unique(x0, return_inverse=True)
    v1 = v1_values[v1_inverse]
    return (v1,)
reference = program
example = (torch.zeros([], dtype=torch.bool),)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([True], dtype=torch.bool).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
