# torch_api, export_strict.dynamic on cpu: RAISED build raised IndexError: tuple index out of range
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, n0):
    v0 = x0[x1]
    v1 = torch.all(v0, dim=n0, keepdim=True)
    v2 = torch.add(v1, 1)
    return parts(v2)

def program(x0, x1, n0):
    return torch.vmap(inner, in_dims=(0, None, None))(x0, x1, n0)
reference = program
example = (torch.zeros(28, dtype=torch.float32).as_strided([4, 7], [1, 4], 0), torch.zeros([7], dtype=torch.bool), 0)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(372, generator=G).to(torch.float32).as_strided((31, 12), (1, 31)), torch.tensor([False, True, False, True, False, True, True, True, True, True, True, True], dtype=torch.bool), 0, ), {}),
    ((torch.randn(372, generator=G).to(torch.float32).as_strided((31, 12), (1, 31)), torch.tensor([False, True, False, True, False, True, True, True, True, True, True, True], dtype=torch.bool), 0, ), {}),
    ((torch.randn(682, generator=G).to(torch.float32).as_strided((31, 22), (1, 31)), torch.tensor([True, True, False, False, True, True, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True], dtype=torch.bool), 3, ), {}),
    ((torch.randn(372, generator=G).to(torch.float32).as_strided((31, 12), (1, 31)), torch.tensor([False, True, False, True, False, True, True, True, True, True, True, True], dtype=torch.bool), 0, ), {}),
    ((torch.randn(372, generator=G).to(torch.float32).as_strided((31, 12), (1, 31)), torch.tensor([False, True, False, True, False, True, True, True, True, True, True, True], dtype=torch.bool), 0, ), {}),
    ((torch.randn(372, generator=G).to(torch.float32).as_strided((31, 12), (1, 31)), torch.tensor([False, True, False, True, False, True, True, True, True, True, True, True], dtype=torch.bool), 0, ), {}),
    ((torch.randn(128, generator=G).to(torch.float32).as_strided((32, 4), (1, 32)), torch.tensor([True, False, False, False], dtype=torch.bool), 3, ), {}),
    ((torch.randn(375, generator=G).to(torch.float32).as_strided((15, 25), (1, 15)), torch.tensor([True, True, True, True, False, True, True, False, True, True, True, True, True, True, True, True, True, True, False, True, True, True, True, True, True], dtype=torch.bool), 0, ), {}),
    ((torch.randn(128, generator=G).to(torch.float32).as_strided((32, 4), (1, 32)), torch.tensor([True, False, False, False], dtype=torch.bool), 3, ), {}),
    ((torch.randn(375, generator=G).to(torch.float32).as_strided((15, 25), (1, 15)), torch.tensor([True, True, True, True, False, True, True, False, True, True, True, True, True, True, True, True, True, True, False, True, True, True, True, True, True], dtype=torch.bool), 0, ), {}),
    ((torch.randn(372, generator=G).to(torch.float32).as_strided((31, 12), (1, 31)), torch.tensor([False, True, False, True, False, True, True, True, True, True, True, True], dtype=torch.bool), 0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
