# torch_api, export.collection on cpu: RAISED build raised UserError: Constraints violated (a + 3, …)! - You marked a + 3 as dynamic but your code specialized it to be a constant (3). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it w
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
example = (torch.zeros([3, 2, 2, 1], dtype=torch.float32), torch.zeros([3], dtype=torch.bool))
a = torch.export.Dim('a')
c = torch.export.Dim('c')
d = torch.export.Dim('d')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a + 3, 2: c, 3: d}
dynamic_shapes[example[1]] = {0: a + 3}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((3, 2, 0, 0)).data, torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
