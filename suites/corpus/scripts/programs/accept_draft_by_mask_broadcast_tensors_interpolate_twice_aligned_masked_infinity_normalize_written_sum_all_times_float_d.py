# programs, draft_export.auto on cpu: RAISED AssertionError: Guard failed: max(1, math.trunc(2.0 * torch.sym_float(args_3.size()[3]))) == 12
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, s2, x3, x4, x5):
    v6, v7 = torch.broadcast_tensors(x0, x1)
    v8 = v6 * s2
    v9 = F.interpolate(x3, scale_factor=2.0, mode='bicubic', align_corners=True)
    v10_n = (x4 == x4).to(torch.int64).cumprod(-1).sum(-1).unsqueeze(-1)
    v10 = torch.where(torch.arange(x4.shape[1], device=x4.device) < v10_n, x4, -1)
    v11 = v6.sum()
    v12 = x3.masked_fill(x5, float('-inf'))
    v13 = v9 / v9.norm(dim=-1, keepdim=True).clamp_min(1e-06)
    return (v7, v8, v10, v11, v12, v13)
reference = program
example = (torch.zeros(50, dtype=torch.bfloat16).as_strided([5, 5], [10, 2], 0), torch.zeros([], dtype=torch.bfloat16), -0.25, torch.zeros(180, dtype=torch.float16).as_strided([1, 5, 6, 6], [1, 1, 5, 30], 0), torch.zeros(30, dtype=torch.int64).as_strided([5, 6], [1, 5], 0), torch.zeros([], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}, {}, None, {1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.full((49,), 0.0, dtype=torch.bfloat16).as_strided((5, 5), (10, 2)), torch.tensor([-100.5], dtype=torch.bfloat16).reshape(()), -0.25, torch.randn(125, generator=G).to(torch.float16).as_strided((1, 5, 5, 5), (1, 1, 5, 25)), torch.tensor([3, 3, 0, 2, 3, 2, 1, 3, 0, 3, 2, 2, 2, 2, 1, 0, 1, 2, 3, 1, 2, 2, 0, 1, 2], dtype=torch.int64).as_strided((5, 5), (1, 5)), torch.tensor([False], dtype=torch.bool).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
