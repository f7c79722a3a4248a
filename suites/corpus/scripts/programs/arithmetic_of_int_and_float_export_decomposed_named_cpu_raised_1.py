# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[2] in the specified range satisfy the generated guard ((1.0 + abs(0.5 + torch.sym_float(4 + L['args'][0].size()[2]))) % 2.0) != 0.0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1, s2):
    v3_0 = x0 + torch.linalg.vector_norm(x0, ord=abs((lambda: min(x0.shape[2], x0.shape[2]))() + n1 + s2) + 1)
    v3 = v3_0
    return (v3,)
reference = program
example = (torch.zeros([1, 2, 10, 10], dtype=torch.float32), 4, 0.5)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({2: a, 3: a}, None, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(162, generator=G).to(torch.float32).reshape((1, 2, 9, 9)), 4, 0.5, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
