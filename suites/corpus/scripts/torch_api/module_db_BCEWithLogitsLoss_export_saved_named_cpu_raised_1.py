# torch_api, export_saved.named on cpu: RAISED build raised RuntimeError: Cannot call storage_offset() on tensor with symbolic sizes/strides
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.BCEWithLogitsLoss(reduction='none').train()

def inner(x0, x1):
    v0 = torch.func.functional_call(module, {}, (x0, x1), {})
    return parts(v0)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0, x1: inner(x0, x1), (x0, x1), tuple(map(torch.ones_like, (x0, x1))))
    return (*outputs, *tangents)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32), torch.zeros(18, dtype=torch.float32).as_strided([2, 9], [1, 2], 0))
b = torch.export.Dim('b')
dynamic_shapes = (({1: b}, {1: b}),)

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
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
