# torch_api, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked c as dynamic but your code specialized it to be a constant (5). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.ConvTranspose3d(4, 5, 3, padding=3).train()

def program(x0, x1, x2):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([4, 8, 8, 5], dtype=torch.float32), torch.zeros([4, 5, 3, 3, 3], dtype=torch.float32), torch.zeros([5], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
dynamic_shapes = (({1: a, 2: a, 3: c}, {}, {}),)

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
    if 3 <= args[0].size(1) <= 16 and 3 <= args[0].size(3) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((4, 1, 1, 1)), torch.randn(540, generator=G).to(torch.float32).reshape((4, 5, 3, 3, 3)), torch.tensor([-0.4081663489341736, 0.2537885308265686, 0.6638389229774475, 0.7456968426704407, 0.3547396659851074], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
