# torch_api, export.bounded on cpu: RAISED RuntimeError: The size of tensor a (s21) must match the size of tensor b (3) at non-singleton dimension 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.ops.aten.mse_loss_backward.default(x0, x1, x2, 1)
    return parts(v0)

def program(x0, x1, x2):

    def loss(x0, x1, x2):
        return sum((part.sum() for part in inner(x0, x1, x2) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0, 1, 2))(x0, x1, x2)
reference = program
example = (torch.zeros([8, 8], dtype=torch.float32), torch.zeros([8, 8], dtype=torch.float32), torch.zeros([8, 8], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a, 1: a}, {0: a, 1: a}, {0: a, 1: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072], dtype=torch.float32).reshape((3, 3)), torch.tensor([-0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087, -0.5663174986839294, 0.3731146454811096], dtype=torch.float32).reshape((3, 3)), torch.tensor([-0.8919953107833862, -1.5091077089309692, 0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269, -1.2904350757598877], dtype=torch.float32).reshape((3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
