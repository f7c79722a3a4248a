# programs, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a as dynamic but your code specialized it to be a constant (8). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0, x1, x2):
    v3 = F.scaled_dot_product_attention(x0, x1, x2, is_causal=True)
    v4_0 = F.leaky_relu(v3, abs(math.sin(v3.shape[2])))
    v4 = v4_0
    return (v4,)
reference = program
example = (torch.zeros([8, 8, 8, 8], dtype=torch.float32), torch.zeros([8, 8, 8, 8], dtype=torch.float32), torch.zeros([8, 8, 8, 4], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
c = torch.export.Dim('c')
dynamic_shapes = (({0: a, 1: a, 2: a, 3: a}, {0: a, 1: a, 2: a, 3: a}, {0: a, 1: a, 2: a, 3: c}),)

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
    ((torch.tensor([1.2994694709777832], dtype=torch.float32).reshape((1, 1, 1, 1)), torch.tensor([0.5318827033042908], dtype=torch.float32).reshape((1, 1, 1, 1)), torch.tensor([], dtype=torch.float32).reshape((1, 1, 1, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
