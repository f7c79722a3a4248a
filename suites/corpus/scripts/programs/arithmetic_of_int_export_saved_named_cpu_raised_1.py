# programs, export_saved.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: 0 <= (c) + ((-1)*min(5, (c)))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1):
    v2_0 = x0 + x0.narrow(0, 0, min(5, x0.shape[0])).sum(0)
    v2_1 = v2_0 * (v2_0 > n1)
    v2 = v2_1
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), 2)
c = torch.export.Dim('c')
dynamic_shapes = (({0: c}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), 2, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
