# torch_api, export_saved.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.nn.functional.avg_pool3d(x0, (4, 5, 6), stride=(x1, 3, 2))
    return parts(v0)
reference = program
example = (torch.zeros([1, 1, 9, 9, 9], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
a = torch.export.Dim('a', min=4)
dynamic_shapes = (({2: a, 3: a, 4: a}, {}),)

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
    ((torch.randn(64, generator=G).to(torch.float32).reshape((1, 1, 4, 4, 4)), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
