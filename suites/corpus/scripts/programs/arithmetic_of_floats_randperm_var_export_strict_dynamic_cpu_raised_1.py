# programs, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: (1.0 + abs(-2.0 + torch.sym_float((1 + args_0.size()[1]) * (1 + args_0.size()[1])))) % 2.0 != 0.0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, s1):
    v2 = x0.var((0, 1), keepdim=False, correction=1)
    v3_0 = x0 + torch.linalg.vector_norm(x0, ord=abs(pow(sum((1, x0.shape[1])), 2) + s1 + s1) + 1)
    v3 = v3_0
    v4 = torch.randperm(v3.shape[0], device=v3.device)
    return (v2, v4)
reference = program
example = (torch.zeros([2, 11], dtype=torch.float32), -1.0)
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-0.21703092753887177, 0.14875520765781403, -0.3333601951599121, 1.240654468536377], dtype=torch.float32).reshape((2, 2)), -1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
