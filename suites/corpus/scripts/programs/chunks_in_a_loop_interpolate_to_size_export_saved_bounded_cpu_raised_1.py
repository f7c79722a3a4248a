# programs, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range 3 <= a <= 16 satisfy the generated guard ((3 + L['args'][0].size()[0]) // 4) == 3.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2_parts = []
    for v2_part in x0.split(4):
        v2_parts.append(v2_part * 2)
    v2 = torch.cat(v2_parts)
    v3 = F.interpolate(x1, size=(5, 3), mode='nearest-exact')
    return (v2, v3)
reference = program
example = (torch.zeros([10], dtype=torch.int32), torch.zeros([2, 2, 10, 2], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a}, {2: a}),)

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
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([0], dtype=torch.int32), torch.tensor([0.20723548531532288, 0.2698686420917511, 0.5507453083992004, 0.2703641355037689, 0.6472479701042175, 0.24900221824645996, -0.33539512753486633, 0.45635277032852173], dtype=torch.float32).reshape((2, 2, 1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
