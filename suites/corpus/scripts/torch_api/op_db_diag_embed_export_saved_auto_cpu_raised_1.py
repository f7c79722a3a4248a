# torch_api, export_saved.auto on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x1.item()
    v1 = x0.diag_embed(offset=v0, dim2=2)
    return parts(v1)
reference = program
example = (torch.zeros(72, dtype=torch.float32).as_strided([8, 9], [1, 8], 0), torch.zeros(2, dtype=torch.int64).as_strided([], [], 1))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}, {}),)

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
    ((torch.full((120,), 0.0, dtype=torch.float32).as_strided((24, 5), (1, 24)), torch.tensor([-1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
