# torch_api, export_strict.auto on cpu: RAISED build raised UserError: Could not guard on data-dependent expression u0 < 0 (unhinted: u0 < 0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.nn.functional.conv_transpose1d(x0, x1, dilation=(x2,))
    return parts(v0)
reference = program
example = (torch.zeros([1, 2], dtype=torch.float32), torch.zeros([1, 1, 2], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2)), torch.tensor([-2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((1, 1, 2)), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
