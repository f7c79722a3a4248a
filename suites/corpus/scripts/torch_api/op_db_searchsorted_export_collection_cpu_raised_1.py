# torch_api, export.collection on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 2) (unhinted: Eq(u0, 2)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x0[x3]
    v1 = torch.searchsorted(v0, x1, sorter=x2)
    return parts(v1)
reference = program
example = (torch.zeros([5], dtype=torch.float32), torch.zeros([10], dtype=torch.float32), torch.zeros([2], dtype=torch.int64), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427], dtype=torch.float32), torch.tensor([-1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132], dtype=torch.float32), torch.tensor([1, 0], dtype=torch.int64), torch.tensor([True, False, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
