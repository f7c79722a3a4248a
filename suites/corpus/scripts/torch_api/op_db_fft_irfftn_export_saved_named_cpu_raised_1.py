# torch_api, export_saved.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 > 0 (unhinted: u0 > 0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    v1 = torch.fft.irfftn(v0)
    return parts(v1)
reference = program
example = (torch.zeros([5, 2, 2], dtype=torch.int32), torch.zeros([5], dtype=torch.bool))
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
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1, 7, 1, 5, -4, 4, 1, -2, 0, 0, -2, 0, 5], dtype=torch.int32).reshape((5, 2, 2)), torch.tensor([True, False, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
