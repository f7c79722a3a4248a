# torch_api, draft_export.auto on cpu: DID_NOT_RAISE eager raises ValueError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.nn.functional.batch_norm(x0, x1, x2, training=True)
    return parts(v0)
reference = program
example = (torch.zeros([8, 1], dtype=torch.float32), torch.zeros([1], dtype=torch.float32), torch.zeros([1], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.AUTO}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape((1, 1)), torch.tensor([-0.293428897857666], dtype=torch.float32), torch.tensor([-2.1787893772125244], dtype=torch.float32), ), {}),
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
