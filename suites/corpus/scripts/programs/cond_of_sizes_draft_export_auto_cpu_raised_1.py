# programs, draft_export.auto on cpu: RAISED build raised InternalTorchDynamoError: RuntimeError: /__w/pytorch/pytorch/build/aten/src/ATen/RegisterCPU_2.cpp:2356: SymIntArrayRef expected to contain only concrete integers
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.cond(x1, lambda part: part - 1, lambda part: part - 1, (x0,))
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 9], dtype=torch.float32), torch.zeros([], dtype=torch.bool))
dynamic_shapes = (({2: torch.export.Dim.AUTO}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 0)), torch.tensor([True], dtype=torch.bool).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
