# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (2*c, …)! - You marked b as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with ei
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = torch.addr(x0, x1, x2, beta=0, alpha=0)
    v7 = torch.linalg.multi_dot((v6, x3, x4))
    v8 = x5[..., 1::2] * F.gelu(x5[..., 0::2], approximate='tanh')
    return (v7, v8)
reference = program
example = (torch.zeros([1], dtype=torch.float32), torch.zeros([9], dtype=torch.float32), torch.zeros([4], dtype=torch.float32), torch.zeros([4, 3], dtype=torch.float32), torch.zeros([3, 12], dtype=torch.float32), torch.zeros([24], dtype=torch.float32))
b = torch.export.Dim('b')
c = torch.export.Dim('c')
dynamic_shapes = (({}, {0: b}, {}, {}, {1: c}, {0: 2 * c}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32), torch.tensor([], dtype=torch.float32), torch.tensor([-0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427], dtype=torch.float32), torch.tensor([-1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087, -0.5663174986839294], dtype=torch.float32).reshape((4, 3)), torch.tensor([], dtype=torch.float32).reshape((3, 0)), torch.tensor([], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
