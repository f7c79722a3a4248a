# torch_api, export_saved.bounded on cpu: RAISED build raised RuntimeError: Batching rule not implemented for aten::sym_size.int. We could not generate a fallback.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    return parts(v0)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, None))(x0, x1)
reference = program
example = (torch.zeros(1683, dtype=torch.float32).as_strided([17, 11, 9], [1, 17, 187], 0), torch.zeros([11], dtype=torch.bool))
batch = torch.export.Dim('batch', min=3, max=18)
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: batch, 1: a + 3, 2: b}, {0: a + 3}),)

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
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 18 and 3 <= (args[0].size(1) - 3) // 1 <= 16 and (3 <= args[0].size(2) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(2048, generator=G).to(torch.float32).as_strided((32, 16, 4), (1, 32, 512)), torch.tensor([True, False, True, True, True, True, False, True, True, True, False, True, True, True, True, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
