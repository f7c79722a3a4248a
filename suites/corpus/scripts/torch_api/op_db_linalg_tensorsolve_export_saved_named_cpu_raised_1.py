# torch_api, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (3*a, …)! - You marked a as dynamic but your code specialized it to be a constant (8). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with ei
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.linalg.tensorsolve(x0, x1)
    v1 = torch.zeros_like(v0)
    v2 = torch.linalg.tensorsolve(x0, x1, out=v1)
    return parts(v2)
reference = program
example = (torch.zeros([8, 3, 24], dtype=torch.float32), torch.zeros([8, 3], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 2: 3 * a}, {0: a}),)

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
    ((torch.tensor([], dtype=torch.float32).reshape((0, 3, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
