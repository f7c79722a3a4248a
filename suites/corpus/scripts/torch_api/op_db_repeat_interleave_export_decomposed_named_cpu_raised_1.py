# torch_api, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (a + 3, …)! - You marked a + 3 as dynamic but your code specialized it to be a constant (3). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace i
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    return parts(v0)
reference = program
example = (torch.zeros([3, 2, 1], dtype=torch.int32), torch.zeros([3], dtype=torch.bool))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c')
dynamic_shapes = (({0: a + 3, 1: b, 2: c}, {0: a + 3}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.int32).reshape((3, 0, 0)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
