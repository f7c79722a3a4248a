# programs, export_strict.auto on cpu: RAISED build raised ValueError: The following inconsistencies were found: Eq(ToFloat(PythonMod(-s6, s37 + 1)) + 0.01, 1) is inconsistent!
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2_n1 = x1.item()
    v2_0 = F.layer_norm(x0, x0.shape[-1:], eps=abs(-sum((i * k for i, k in enumerate((v2_n1, x0.shape[0])))) % (x0.shape[2] + 1)) + 0.01)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([10, 2, 10], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-1.5502451658248901, -0.8528077602386475], dtype=torch.float32).reshape((1, 2, 1)), torch.tensor([7], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
