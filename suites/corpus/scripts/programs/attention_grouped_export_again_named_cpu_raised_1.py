# programs, export_again.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(2 + 2*(a), 4 + 4*(a)) == (2 + 2*(a))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3_key = x0.repeat_interleave(x2.shape[1] // x0.shape[1], dim=1)
    v3_value = x1.repeat_interleave(x2.shape[1] // x1.shape[1], dim=1)
    v3 = (x2 @ v3_key.transpose(-2, -1) * x2.shape[-1] ** (-0.5)).softmax(dim=-1) @ v3_value
    return (v3,)
reference = program
example = (torch.zeros([4, 5, 5, 4], dtype=torch.float32), torch.zeros([4, 5, 5, 2], dtype=torch.float32), torch.zeros([4, 10, 1, 4], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a, 1: a + 1, 2: a + 1, 3: a}, {0: a, 1: a + 1, 2: a + 1}, {0: a, 1: 2 * a + 2, 3: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((1, 2, 2, 1)), torch.tensor([-1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((1, 2, 2, 2)), torch.tensor([-0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087], dtype=torch.float32).reshape((1, 4, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
