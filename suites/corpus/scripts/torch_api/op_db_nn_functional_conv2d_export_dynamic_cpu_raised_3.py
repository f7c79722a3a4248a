# torch_api, export.dynamic on cpu: RAISED AssertionError: Guard failed: 1 + (-5 + args_0.size()[2]) // 2 == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.nn.functional.conv2d(x0, x1, x2, stride=2, padding=1, groups=1, dilation=(2, 3))
    v1 = v0.contiguous()
    return parts(v1)
reference = program
example = (torch.zeros(360, dtype=torch.float32).as_strided([8, 9, 5], [1, 8, 72], 0), torch.zeros([1, 8, 2, 3], dtype=torch.float32), torch.zeros([1], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(2860, generator=G).to(torch.float32).as_strided((20, 13, 11), (1, 20, 260)), torch.randn(420, generator=G).to(torch.float32).reshape((1, 20, 7, 3)), torch.tensor([1.2063274383544922], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
