# torch_api, export_strict.dynamic on cpu: RAISED build raised UserError: Could not guard on data-dependent expression Eq(2*u0, 4) (unhinted: Eq(2*u0, 4)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x1[x2]
    v1 = torch.ops.aten.fake_quantize_per_tensor_affine_cachemask_backward.default(x0, v0)
    return parts(v1)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros([5, 2], dtype=torch.bool), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([True, False, True, True, True, True, True, False, False, False], dtype=torch.bool).reshape((5, 2)), torch.tensor([False, False, True, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
