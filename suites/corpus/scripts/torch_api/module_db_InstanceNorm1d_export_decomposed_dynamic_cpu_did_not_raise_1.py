# torch_api, export_decomposed.dynamic on cpu: DID_NOT_RAISE eager raises ValueError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.InstanceNorm1d(3, 0.001, affine=None).eval()

def program(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32),)
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1)), ), {}),
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
