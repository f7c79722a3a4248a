# torch_api, export_again.named on cpu: RAISED RuntimeError: Runtime assertion failed for expression Eq(s81*u0, u1) on node 'eq_1'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = x1.item()
    v2 = torch.ops.aten._reshape_alias.default(v0, [v1], [1])
    return parts(v2)
reference = program
example = (torch.zeros([5, 9], dtype=torch.float32), torch.zeros([], dtype=torch.int64), torch.zeros([5], dtype=torch.bool))
b = torch.export.Dim('b')
dynamic_shapes = (({1: b}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((5, 0)), torch.tensor([1], dtype=torch.int64).reshape(()), torch.tensor([False, True, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
