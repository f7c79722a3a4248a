# torch_api, export_again.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.special.legendre_polynomial_p(v0, x1)
    return parts(v1)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, None))(x0, x1, x2)
reference = program
example = (torch.zeros([17, 5, 1], dtype=torch.uint8), torch.zeros([17, 2], dtype=torch.uint8), torch.zeros([5], dtype=torch.bool))
batch = torch.export.Dim('batch', min=1)
dynamic_shapes = (({0: batch}, {0: batch}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([4, 9, 3, 0, 3], dtype=torch.uint8).reshape((1, 5, 1)), torch.tensor([9, 7], dtype=torch.uint8).reshape((1, 2)), torch.tensor([False, False, True, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
