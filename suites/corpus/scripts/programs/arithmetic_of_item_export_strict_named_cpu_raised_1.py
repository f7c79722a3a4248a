# programs, export_strict.named on cpu: RAISED build raised UserError: Could not guard on data-dependent expression u0 + 1 < 0 (unhinted: u0 + 1 < 0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_n1 = x1.item()
    v2_0 = x0 + x0[::v2_n1 + 1].sum(0)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 1], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2, 1)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
