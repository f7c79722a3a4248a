# torch_api, export_strict.auto on cpu: RAISED build raised UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    v1 = torch.nn.functional.max_pool1d_with_indices(v0, 1)
    return parts(v1)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, None))(x0, x1)
reference = program
example = (torch.zeros([17, 5, 2, 17], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((1, 5, 2, 1)), torch.tensor([True, False, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
