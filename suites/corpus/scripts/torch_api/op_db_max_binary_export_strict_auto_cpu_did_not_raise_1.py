# torch_api, export_strict.auto on cpu: DID_NOT_RAISE eager raises RuntimeError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.max(x0)
    return parts(v0)

def program(x0):

    def loss(x0):
        return sum((part.sum() for part in inner(x0) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
reference = program
example = (torch.zeros([2, 2, 5], dtype=torch.float32),)
dynamic_shapes = (({2: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    try:
        reference(*copy.deepcopy(args), **options)
    except Exception as error:
        try:
            implementation(*args, **options)
        except Exception:
            continue
        sys.exit(f"call {number} raises in eager ({error}) and not when compiled")
    implementation(*args, **options)
