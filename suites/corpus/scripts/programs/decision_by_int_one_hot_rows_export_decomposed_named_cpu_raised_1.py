# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked b as dynamic but your code specialized it to be a constant (13). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with e
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1, x2, x3):
    v4_0 = x0 + x0[::n1 + 1].sum(0)
    v4 = v4_0
    v5 = F.one_hot(x3, x2.shape[0])
    return (v4, v5)
reference = program
example = (torch.zeros([2], dtype=torch.float32), 2, torch.zeros([13, 2], dtype=torch.float32), torch.zeros([2], dtype=torch.int64))
a = torch.export.Dim('a')
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: a}, None, {0: b}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), 2, torch.tensor([-2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((1, 2)), torch.tensor([0, 0], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
