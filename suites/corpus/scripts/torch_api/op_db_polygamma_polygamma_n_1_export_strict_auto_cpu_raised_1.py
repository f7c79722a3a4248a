# torch_api, export_strict.auto on cpu: RAISED build raised RuntimeError: _checkpoint_context_fn
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.polygamma(2, x0)
    return parts(v0)

def program(x0):
    return torch.utils.checkpoint.checkpoint(inner, x0, use_reentrant=False)
reference = program
example = (torch.zeros([], dtype=torch.int8),)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0], dtype=torch.int8).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
