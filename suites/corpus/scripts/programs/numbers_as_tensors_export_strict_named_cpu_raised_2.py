# programs, export_strict.named on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0, u1} not in returned outputs FakeTensor(..., size=(u2,), dtype=torch.int64) ((1,), u3).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_a, v2_b, v2_c, v2_d = x1.sort().values.unbind()
    v2_0 = x0 + torch.arange(9, device=x0.device).narrow(0, v2_a, v2_b - v2_a).sum()
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros([4], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([1, 3, 5, 2], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
