# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (2*a, …)! - You marked a as dynamic but your code specialized it to be a constant (4). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with 
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.scaled_dot_product_attention(x2, x0, x1, enable_gqa=True)
    return (v3,)
reference = program
example = (torch.zeros([4, 4, 5, 4], dtype=torch.float64), torch.zeros([4, 4, 5, 4], dtype=torch.float64), torch.zeros([4, 8, 11, 4], dtype=torch.float64))
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
    ((torch.randn(750, generator=G).to(torch.float64).reshape((5, 5, 6, 5)), torch.randn(600, generator=G).to(torch.float64).reshape((5, 5, 6, 4)), torch.randn(3750, generator=G).to(torch.float64).reshape((5, 10, 15, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
