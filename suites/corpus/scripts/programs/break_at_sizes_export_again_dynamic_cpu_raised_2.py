# programs, export_again.dynamic on cpu: RAISED build raised TypeError: unsupported operand type(s) for divmod(): 'SymInt' and 'SymInt'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_0 = x0.masked_fill(x0 > 0, divmod(x0.shape[0], 1 << x0.shape[0] % 5)[1])
    v1 = v1_0
    return (v1,)
reference = program
example = (torch.zeros([9], dtype=torch.float32),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
