# programs, export_saved.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min((a), (a)*(a)) == (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.instance_norm(x1, weight=x0, bias=x0)
    return (v2,)
reference = program
example = (torch.zeros([11], dtype=torch.float32), torch.zeros([2, 11, 11], dtype=torch.float32))
a = torch.export.Dim('a', min=2)
dynamic_shapes = (({0: a}, {1: a, 2: a}),)

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
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([-2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
