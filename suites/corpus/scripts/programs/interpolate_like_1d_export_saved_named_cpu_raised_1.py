# programs, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked b + 1 as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.interpolate(x0, size=x1.shape[2], mode='linear')
    return (v2,)
reference = program
example = (torch.zeros([2, 1, 1], dtype=torch.float32), torch.zeros([2, 1, 1], dtype=torch.float32))
b = torch.export.Dim('b', min=1)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: b + 1, 1: b, 2: b}, {0: b + 1, 1: b, 2: a}),)

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
    ((torch.tensor([-3.0, 3.0, -3.0, 2.0, 1.0, 2.0, -1.0, 2.0, -2.0, 2.0, 0.0, 3.0], dtype=torch.float32).as_strided((3, 2, 2), (1, 3, 6)), torch.tensor([-6.107700755819678e-05, -0.7416999340057373, 1.1323158740997314, -0.6310300230979919, -0.3298151195049286, -0.9640443325042725], dtype=torch.float32).as_strided((3, 2, 1), (1, 3, 6)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
