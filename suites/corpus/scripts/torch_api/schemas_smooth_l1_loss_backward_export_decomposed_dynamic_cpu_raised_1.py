# torch_api, export_decomposed.dynamic on cpu: RAISED build raised RuntimeError: aten::smooth_l1_loss_backward() Expected a value of type 'float' for argument 'beta' but instead found type 'SymFloat'.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x3.item()
    v1 = torch.ops.aten.smooth_l1_loss_backward.default(x0, x1, x2, 1, v0)
    return parts(v1)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([], dtype=torch.float64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([-0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([-0.5663174986839294, 0.3731146454811096, -0.8919953107833862, -1.5091077089309692, 0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([0.5], dtype=torch.float64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
