# programs, draft_export.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[2] * args_1.size()[3] == 154
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.scaled_dot_product_attention(x2, x0, x1, enable_gqa=True)
    v4_c = x1.clone()
    v4_c[1:] += 1
    v4 = v4_c
    v5 = torch.empty(x1.shape, device=x1.device).geometric_(0.5)
    v6, v7 = x0.max(-2, keepdim=True)
    return (v3, v4, v5, v6, v7)
reference = program
example = (torch.zeros(1452, dtype=torch.float16).as_strided([12, 1, 11, 11], [1, 12, 12, 132], 0), torch.zeros(1849, dtype=torch.float16).as_strided([12, 1, 11, 14], [154, 154, 14, 1], 1), torch.zeros(792, dtype=torch.float16).as_strided([12, 2, 3, 11], [33, 396, 11, 1], 0))
a = torch.export.Dim('a', min=1)
c = torch.export.Dim('c')
dynamic_shapes = (({0: a + 1, 2: a, 3: a}, {0: a + 1, 2: a, 3: c}, {0: a + 1, 3: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(80, generator=G).to(torch.float16).as_strided((5, 1, 4, 4), (1, 5, 5, 20)), torch.randn(100, generator=G).to(torch.float16).reshape((5, 1, 4, 5)), torch.randn(120, generator=G).to(torch.float16).as_strided((5, 2, 3, 4), (12, 60, 4, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
