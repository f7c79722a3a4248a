# torch_api, export.auto on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 < 0 (unhinted: u0 < 0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.as_strided_scatter(x0, x1, (2, 1, 1, 2), (1, x2, 4, 8))
    return parts(v0)
reference = program
example = (torch.zeros([16], dtype=torch.float32), torch.zeros([2, 1, 1, 2], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.AUTO}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32), torch.tensor([-0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013], dtype=torch.float32).reshape((2, 1, 1, 2)), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
