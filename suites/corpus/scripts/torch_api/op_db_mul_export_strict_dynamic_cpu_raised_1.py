# torch_api, export_strict.dynamic on cpu: RAISED build raised RuntimeError: _checkpoint_context_fn
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.mul(x0, x1)
    return parts(v0)

def program(x0, x1):
    return torch.utils.checkpoint.checkpoint(inner, x0, x1, use_reentrant=False)
reference = program
example = (torch.zeros([2, 1], dtype=torch.float32), torch.zeros([2], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1)), torch.tensor([-2.1787893772125244, 0.5684312582015991], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
