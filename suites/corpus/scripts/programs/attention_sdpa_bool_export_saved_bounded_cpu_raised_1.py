# programs, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (4). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.scaled_dot_product_attention(x0, x1, x2, attn_mask=x3)
    return (v4,)
reference = program
example = (torch.zeros([4, 3, 3, 4], dtype=torch.float32), torch.zeros([4, 3, 1, 4], dtype=torch.float32), torch.zeros([4, 3, 1, 4], dtype=torch.float32), torch.zeros([3, 1], dtype=torch.bool))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a + 1, 1: a, 2: a, 3: a + 1}, {0: a + 1, 1: a, 3: a + 1}, {0: a + 1, 1: a}, {0: a}),)

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
inside = implementation

def implementation(*args):
    if 3 <= (args[0].size(0) - 1) // 1 <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 0, 0, 1)), torch.tensor([], dtype=torch.float32).reshape((1, 0, 1, 1)), torch.tensor([], dtype=torch.float32).reshape((1, 0, 1, 4)), torch.tensor([], dtype=torch.bool).reshape((0, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
