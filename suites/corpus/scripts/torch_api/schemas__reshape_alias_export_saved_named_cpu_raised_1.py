# torch_api, export_saved.named on cpu: RAISED build raised RuntimeError: shape '[1]' is invalid for input of size s33*s50*s69
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.ops.aten._reshape_alias.default(x0, [1], [1])
    return parts(v0)
reference = program
example = (torch.zeros([8, 8, 8], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a, 2: a},),)

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
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
