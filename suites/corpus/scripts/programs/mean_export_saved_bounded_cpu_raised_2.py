# programs, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (a + 1)! - You marked a + 1 as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it wit
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.mean((0, 2), keepdim=True)
    return (v1,)
reference = program
example = (torch.zeros(200, dtype=torch.complex64).as_strided([2, 10, 10], [0, 10, 1], 0),)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({1: a + 1, 2: a + 1},),)

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
    if 3 <= (args[0].size(1) - 1) // 1 <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([0j, 0j, 0j, 0j], dtype=torch.complex64).as_strided((2, 2, 2), (0, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
