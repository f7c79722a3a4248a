# torch_api, export_saved.auto on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(5, u0) (unhinted: Eq(5, u0)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = x0.item()
    v1 = torch.full((5, 5), 6)
    v2 = torch.zeros_like(v1)
    v3 = torch.full((5, v0), 6, out=v2)
    return parts(v3)
reference = program
example = (torch.zeros([], dtype=torch.int64),)
dynamic_shapes = None

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
    ((torch.tensor([5], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
