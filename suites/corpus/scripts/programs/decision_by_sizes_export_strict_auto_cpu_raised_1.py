# programs, export_strict.auto on cpu: RAISED AssertionError: Guard failed: 0.01 + torch.sym_float(args_0.size()[2]) == 10.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1_0 = F.rms_norm(x0, x0.shape[-1:], eps=abs(sum((i * k for i, k in enumerate((x0.shape[0], x0.shape[2]))))) + 0.01)
    v1_1 = F.pad(v1_0, (1, 1), value=-4 % 2)[..., 1:-1]
    v1_2 = v1_1 + torch.arange((torch.Size((x0.shape[0], x0.shape[0])).numel() if x0.shape[2] <= -1 else pow(x0.shape[1], 2)) % 9, device=v1_1.device).sum()
    v1 = v1_2
    return (v1,)
reference = program
example = (torch.zeros(40, dtype=torch.float32).as_strided([2, 2, 10], [1, 2, 4], 0),)
dynamic_shapes = (({2: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).as_strided((2, 2, 3), (1, 2, 4)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
