# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(2 + 2*(a), 4 + 4*(a)) == (2 + 2*(a))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.scaled_dot_product_attention(x2, x0, x1, enable_gqa=True)
    return (v3,)
reference = program
example = (torch.zeros([4, 4, 5, 4], dtype=torch.float64), torch.zeros([4, 4, 5, 2], dtype=torch.float64), torch.zeros([4, 8, 11, 4], dtype=torch.float64))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 1: a, 2: a + 1, 3: a}, {0: a, 1: a, 2: a + 1}, {0: a, 1: 2 * a, 2: b, 3: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(750, generator=G).to(torch.float64).reshape((5, 5, 6, 5)), torch.randn(300, generator=G).to(torch.float64).reshape((5, 5, 6, 2)), torch.randn(3750, generator=G).to(torch.float64).reshape((5, 10, 15, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
