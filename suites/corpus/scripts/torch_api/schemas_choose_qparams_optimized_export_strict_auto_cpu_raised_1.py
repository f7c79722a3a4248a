# torch_api, export_strict.auto on cpu: RAISED build raised TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: The tensor has a non-zero number of elements, but its data is not allocated yet.\nIf you're using torch.compile/export/fx, it is likely that we are erroneously trac
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.ops.aten.choose_qparams_optimized.default(x0, 1, 1, 0.5, 1)
    return parts(v0)

def program(x0):
    return torch.vmap(inner, in_dims=(0,))(x0)
reference = program
example = (torch.zeros([17, 2, 2, 5], dtype=torch.float32),)
dynamic_shapes = (({0: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(192, generator=G).to(torch.float32).reshape((16, 2, 2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
