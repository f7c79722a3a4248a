# programs, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + torch.sym_float(abs(1 + (2 + args_0.size()[1] ^ 1))) == 14.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import dataclasses

@dataclasses.dataclass
class Pair:
    left: int
    right: int

    def total(self):
        return self.left + 2 * self.right

def program(x0, n1):
    v2_0 = F.rms_norm(x0, x0.shape[-1:], eps=abs((Pair(x0.shape[1], x0.shape[0]).total() ^ x0.shape[0]) + n1) + 0.01)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([1, 10], dtype=torch.float32), 1)
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape((1, 1)), 1, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
