# torch_api, export.auto on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.ops.aten.to_dense_backward.default(v0, x1)
    return parts(v1)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, None))(x0, x1, x2)
reference = program
example = (torch.zeros([17, 5, 2, 17], dtype=torch.float32), torch.zeros([17, 17, 17, 17], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = (({0: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((1, 5, 2, 1)), torch.tensor([-0.5966353416442871], dtype=torch.float32).reshape((1, 1, 1, 1)), torch.tensor([False, False, False, True, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
