# programs, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (c, …)! - You marked c + 1 as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=2, mode='nearest-exact')
    return (v1,)
reference = program
example = (torch.zeros(23, dtype=torch.float32).as_strided([11, 2, 1, 1], [2, 1, 1, 1], 1),)
a = torch.export.Dim('a', min=3, max=16)
c = torch.export.Dim('c', max=16)
dynamic_shapes = (({0: a, 1: c + 1, 2: c, 3: c},),)

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
    if 3 <= args[0].size(0) <= 16 and 0 <= (args[0].size(1) - 1) // 1 <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([0.40005508065223694, -2.3935234546661377, -0.5891966819763184, 0.3523370027542114, -0.6056928038597107, -0.9546799659729004, 0.9175491333007812, 0.8265263438224792, 0.4135192036628723, -1.1714961528778076, 0.4582344889640808, -0.5434970259666443, -1.432479977607727, 0.29648515582084656, 0.7011582851409912, -0.5915815234184265, 0.6317521929740906, -0.1512618064880371, -0.4017447531223297, -1.18419349193573, -1.0679305791854858, 0.1772831529378891], dtype=torch.float32).reshape((11, 2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
