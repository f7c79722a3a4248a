# programs, export.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(Mod(u1, u0), 0) (unhinted: Eq(Mod(u1, u0), 0)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_a = (x1[0] + 1).item()
    v2_b = (x1[0] * 1 + 1).item()
    torch._check(v2_b % v2_a == 0)
    torch._check(v2_a >= 0)
    torch._check(v2_b >= 0)
    v2_y = x0 * v2_a if v2_b % v2_a == 0 else x0 + v2_b
    v2 = v2_y
    return (v2,)
reference = program
example = (torch.zeros([1, 2], dtype=torch.float32), torch.zeros([4], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2)), torch.tensor([3, 3, 3, 7], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
