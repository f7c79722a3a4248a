# programs, draft_export.auto on cpu: RAISED build raised SpecViolationError: Operator '<built-in function xor>' is not an allowed operator type: (<class 'torch._ops.OpOverload'>, <class 'torch._ops.HigherOrderOperator'>)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, n2, s3):
    v4_n = x1.sum().item()
    torch._check(v4_n >= 0)
    torch._check(v4_n <= x0.shape[0])
    v4 = F.pad(x0, (0, v4_n))
    v5_0 = v4 * s3
    v5_1 = v5_0 + torch.arange(((v4.shape[0] ^ v4.shape[0]) + n2) % 3, ((v4.shape[0] ^ v4.shape[0]) + n2) % 8 + 3, device=v5_0.device).sum()
    v5 = v5_1
    return (v5,)
reference = program
example = (torch.zeros([9, 2, 2], dtype=torch.float32), torch.zeros([9], dtype=torch.bool), 3, 0.5)
dynamic_shapes = (({0: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO}, None, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 2)), torch.tensor([], dtype=torch.bool), 3, 0.5, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
