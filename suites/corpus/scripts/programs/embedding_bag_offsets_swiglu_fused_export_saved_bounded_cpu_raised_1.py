# programs, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (b)! - Not all values of b = L['args'][1].size()[0] in the specified range 3 <= b <= 16 satisfy the generated guard (((-1) + 3*L['args'][1].size()[0]) // L['args'][1].size()[0]) == 2.Specializations unexpecte
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.embedding_bag(x1, x0, torch.arange(0, x1.shape[0], 2, dtype=x1.dtype, device=x1.device), mode='sum')
    v4_gate, v4_up = F.linear(x0, x2).chunk(2, dim=-1)
    v4 = F.silu(v4_gate) * v4_up
    return (v3, v4)
reference = program
example = (torch.zeros([3, 1], dtype=torch.float32), torch.zeros([9], dtype=torch.int64), torch.zeros([18, 1], dtype=torch.float32))
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({}, {0: b}, {0: 2 * b}),)

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
    if 3 <= args[1].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244], dtype=torch.float32).reshape((3, 1)), torch.tensor([], dtype=torch.int64), torch.tensor([], dtype=torch.float32).reshape((0, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
