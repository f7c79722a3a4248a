# torch_api, export_decomposed.dynamic on cpu: DID_NOT_RAISE eager raises NotImplementedError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten._softmax_backward_data(x0, x1, 0, torch.float32)
    return parts(v0)
reference = program
example = (torch.zeros([2], dtype=torch.complex128), torch.zeros([2], dtype=torch.complex128))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([(1.5409960746765137-2.1787893772125244j), (-0.293428897857666+0.5684312582015991j)], dtype=torch.complex128), torch.tensor([(-1.0845223665237427+0.40334683656692505j), (-1.3985954523086548+0.8380263447761536j)], dtype=torch.complex128), ), {}),
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
