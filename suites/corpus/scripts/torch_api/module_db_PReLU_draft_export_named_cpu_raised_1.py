# torch_api, draft_export.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[3] == 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.PReLU(3).train()

def program(x0, x1):
    v0 = torch.func.functional_call(module, {'weight': x1}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([2, 3, 2, 0], dtype=torch.float32), torch.zeros([3], dtype=torch.float32))
c = torch.export.Dim('c')
dynamic_shapes = (({3: c}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((2, 3, 2, 1)), torch.tensor([-0.8566746115684509, 1.1006041765213013, -1.0711873769760132], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
