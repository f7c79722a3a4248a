# torch_api, export_saved.named on cpu: RAISED build raised RuntimeError: Cannot call numel() on tensor with symbolic sizes/strides
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.cov(x0, fweights=x1)
    return parts(v0)
reference = program
example = (torch.zeros([8], dtype=torch.float32), torch.zeros([8], dtype=torch.int32))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a}, {0: a}),)

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
    ((torch.tensor([1.5409960746765137], dtype=torch.float32), torch.tensor([7], dtype=torch.int32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
