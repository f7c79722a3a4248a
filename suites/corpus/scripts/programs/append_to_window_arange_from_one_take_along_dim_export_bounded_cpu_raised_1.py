# programs, export.bounded on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked b as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eit
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3):
    v4 = torch.take_along_dim(x0, x1, 0)
    v5 = torch.cat((x3, x2), dim=-2)[..., -8:, :]
    v6 = torch.arange(1, v4.shape[0] + 1, device=v4.device)
    return (v5, v6)
reference = program
example = (torch.zeros([10], dtype=torch.float32), torch.zeros([2], dtype=torch.int64), torch.zeros([1, 2], dtype=torch.float32), torch.zeros([12, 2], dtype=torch.float32))
b = torch.export.Dim('b', min=3, max=16)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: b}, {}, {}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[3].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32), torch.tensor([0, 0], dtype=torch.int64), torch.tensor([-0.293428897857666, 1.2644586563110352], dtype=torch.float32).reshape((1, 2)), torch.tensor([], dtype=torch.float32).reshape((0, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
