# torch_api, export_strict.dynamic on cpu: RAISED build raised UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, n0):
    v0 = x0[x1]
    v1 = torch.ops.aten._upsample_bilinear2d_aa(v0, output_size=(n0, 3), align_corners=False, scales_h=1.7, scales_w=0.9)
    return parts(v1)

def program(x0, x1, n0):
    return torch.vmap(inner, in_dims=(0, None, None))(x0, x1, n0)
reference = program
example = (torch.zeros(16830, dtype=torch.float32).as_strided([17, 11, 9, 5, 2], [0, 90, 10, 2, 1], 0), torch.zeros(12, dtype=torch.bool).as_strided([11], [1], 1), 3)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC, 4: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(864, generator=G).to(torch.float32).as_strided((3, 4, 3, 8, 9), (0, 216, 72, 9, 1)), torch.tensor([False, False, False, True], dtype=torch.bool), 3, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
