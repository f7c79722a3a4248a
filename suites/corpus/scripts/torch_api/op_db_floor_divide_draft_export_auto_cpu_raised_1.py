# torch_api, draft_export.auto on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0, u2, u1} not in returned outputs FakeTensor(..., size=(s33, s50, s69)) ((s69, s33*s69, 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0.floor_divide_(x1)
    return parts(v0)
reference = program
example = (torch.zeros(320, dtype=torch.float32).as_strided([8, 8, 5], [5, 40, 1], 0), torch.zeros([8, 5], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(325, generator=G).to(torch.float32).as_strided((5, 5, 13), (13, 65, 1)), torch.randn(65, generator=G).to(torch.float32).reshape((5, 13)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
