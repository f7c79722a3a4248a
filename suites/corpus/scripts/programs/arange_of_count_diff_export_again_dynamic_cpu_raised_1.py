# programs, export_again.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression 1 > u0 (unhinted: 1 > u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_n = x0.sum().item()
    torch._check(v1_n >= 0)
    v1 = torch.arange(v1_n, device=x0.device)
    v2 = v1.diff(1, 0)
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.bool),)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([True, False, True, True, True, False, True, False], dtype=torch.bool).reshape((2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
