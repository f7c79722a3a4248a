# programs, export_strict.named on cpu: RAISED build raised PendingUnbackedSymbolNotFound: Pending unbacked symbols {u3} not in returned outputs FakeTensor(..., size=(-u0 + u3,), dtype=torch.int64) ((1,), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_a, v2_b, v2_c, v2_d = x0.sort().values.unbind()
    v2_0 = x1 + torch.arange(9, device=x1.device).split([v2_a, v2_b - v2_a, 9 - v2_b])[1].sum()
    v2_1 = v2_0 + torch.arange(v2_a, v2_b, device=v2_0.device).sum()
    v2 = v2_1
    return (v2,)
reference = program
example = (torch.zeros([4], dtype=torch.int64), torch.zeros([1, 2, 2], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([4, 7, 5, 0], dtype=torch.int64), torch.tensor([-2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((1, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
