# torch_api, export_strict.dynamic on cpu: RAISED build raised TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: The size of tensor a (s11: hint = 8) must match the size of tensor b (s96: hint = 2) at non-singleton dimension 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten._log_softmax_backward_data.default(x0, x1, 1, 1)
    return parts(v0)
reference = program
example = (torch.zeros([8, 8], dtype=torch.float32), torch.zeros([8, 2], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
