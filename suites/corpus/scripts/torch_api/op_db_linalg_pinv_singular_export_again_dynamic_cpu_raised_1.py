# torch_api, export_again.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[2], …)! - You marked L['args'][0].size()[2] as dynamic but your code specialized it to be a constant (8). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x1.mT
    v1 = torch.matmul(x0, v0)
    v2 = torch.linalg.pinv(v1)
    return parts(v2)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0, x1: inner(x0, x1), (x0, x1), tuple(map(torch.ones_like, (x0, x1))))
    return (*outputs, *tangents)
reference = program
example = (torch.zeros([1, 1, 8, 0], dtype=torch.float32), torch.zeros([1, 1, 8, 0], dtype=torch.float32))
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC}, {2: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 1, 0, 0)), torch.tensor([], dtype=torch.float32).reshape((1, 1, 0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
