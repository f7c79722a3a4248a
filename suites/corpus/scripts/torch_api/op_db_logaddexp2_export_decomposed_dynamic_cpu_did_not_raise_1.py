# torch_api, export_decomposed.dynamic on cpu: DID_NOT_RAISE eager raises NotImplementedError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.logaddexp2(x0, x1)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2], dtype=torch.int32), torch.zeros([2, 2], dtype=torch.int32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([0, -1, 3, -2], dtype=torch.int32).reshape((2, 2)), torch.tensor([-3, 5, 9, -1], dtype=torch.int32).reshape((2, 2)), ), {}),
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
