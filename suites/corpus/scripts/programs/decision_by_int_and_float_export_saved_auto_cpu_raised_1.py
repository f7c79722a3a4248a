# programs, export_saved.auto on cpu: RAISED AssertionError: Guard failed: 0.01 + abs(torch.sym_float(args_0.size()[0] * args_0.size()[1])) == 100.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1, s2):
    v3_0 = F.layer_norm(x0, x0.shape[-1:], eps=abs(x0.shape[0] * x0.shape[1] + s2) + 0.01)
    v3_1 = v3_0 * (1 if torch._check(n1 >= 0) is None else 0)
    v3 = v3_1
    return (v3,)
reference = program
example = (torch.zeros([10, 10], dtype=torch.float32), 0, 0.0)
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}, None, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape((1, 1)), 0, 0.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
