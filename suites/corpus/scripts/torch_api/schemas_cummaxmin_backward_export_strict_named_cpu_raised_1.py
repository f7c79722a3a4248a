# torch_api, export_strict.named on cpu: RAISED build raised TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: aten::cummaxmin_backward() Expected a value of type \'int\' for argument \'dim\' but instead found type \'SymInt\'.\nPosition: 3\nValue: u0\nDeclaration: aten::cumm
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x3.item()
    v1 = torch.ops.aten.cummaxmin_backward.default(x0, x1, x2, v0)
    return parts(v1)
reference = program
example = (torch.zeros([3, 8, 8], dtype=torch.float32), torch.zeros([8, 8, 8], dtype=torch.float32), torch.zeros([3, 4, 6], dtype=torch.int64), torch.zeros([], dtype=torch.int64))
b = torch.export.Dim('b')
dynamic_shapes = (({1: b, 2: b}, {0: b, 1: b, 2: b}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((3, 0, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 0)), torch.full((72,), 0, dtype=torch.int64).reshape((3, 4, 6)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
