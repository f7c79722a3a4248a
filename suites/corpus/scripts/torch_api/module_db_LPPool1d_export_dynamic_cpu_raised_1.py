# torch_api, export.dynamic on cpu: RAISED AssertionError: Guard failed: 1 + (-2 + args_0.size()[1]) // 3 == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.LPPool1d(2, 2, 3).train()

def program(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([12, 4], dtype=torch.float32),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427], dtype=torch.float32).reshape((1, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
