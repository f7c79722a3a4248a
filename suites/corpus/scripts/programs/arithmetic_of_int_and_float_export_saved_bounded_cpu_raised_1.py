# programs, export_saved.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (4 % (a)) < (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(n0, s1, x2):
    v3_0 = x2 + x2[4 % x2.shape[0]]
    v3_1 = v3_0 + torch.linspace(0, n0 + s1, 3, device=v3_0.device).sum().to(v3_0.dtype)
    v3 = v3_1
    return (v3,)
reference = program
example = (3, 1.0, torch.zeros([3, 2], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = ((None, None, {0: a}),)

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
    if 3 <= args[2].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((3, 1.0, torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((3, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
