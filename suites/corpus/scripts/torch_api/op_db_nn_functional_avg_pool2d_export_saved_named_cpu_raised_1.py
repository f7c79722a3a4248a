# torch_api, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - Not all values of c = L['args'][0].size()[3] in the specified range 3 <= c satisfy the generated guard (L['args'][0].size()[3] // 3) == 1.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.avg_pool2d(x0, 3)
    v1 = torch.zeros_like(v0)
    return parts(v1)
reference = program
example = (torch.zeros([1, 8, 8, 5], dtype=torch.float32),)
a = torch.export.Dim('a', min=1)
c = torch.export.Dim('c', min=3)
dynamic_shapes = (({1: a, 2: a, 3: c},),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(208, generator=G).to(torch.float32).reshape((1, 4, 4, 13)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
