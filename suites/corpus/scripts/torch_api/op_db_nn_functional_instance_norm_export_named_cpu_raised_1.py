# torch_api, export.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression zuf0 (unhinted: zuf0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = torch.nn.functional.instance_norm(x0, running_mean=x1, running_var=x2, momentum=x3)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([-0.7192575931549072, -0.40334352850914], dtype=torch.float32), torch.tensor([-0.5966353416442871, 0.18203648924827576], dtype=torch.float32), torch.tensor([0.0], dtype=torch.float32).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
