# programs, draft_export.auto on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(u1, 1) (unhinted: Ne(u1, 1)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = x0[x1]
    return (v2,)
reference = program
example = (torch.zeros([2], dtype=torch.float32), torch.zeros([], dtype=torch.int32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([1], dtype=torch.int32).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
