# programs, export.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0])! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_parts = []
    for v2_part in x0.split(4):
        v2_parts.append(v2_part * 2)
    v2 = torch.cat(v2_parts)
    v3_q, v3_k, v3_v = x1.chunk(3, dim=-1)
    v3 = (v3_q @ v3_k.mT * v3_q.shape[-1] ** (-0.5)).softmax(dim=-1) @ v3_v
    return (v3, v2)
reference = program
example = (torch.zeros([9], dtype=torch.float32), torch.zeros([2, 2, 24], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {2: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([-2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013], dtype=torch.float32).reshape((2, 2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
