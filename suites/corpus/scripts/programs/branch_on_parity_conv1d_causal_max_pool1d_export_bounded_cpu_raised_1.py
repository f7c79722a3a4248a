# programs, export.bounded on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked b + 1 as dynamic but your code specialized it to be a constant (14). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.max_pool1d(x1, 1, stride=1, padding=0, dilation=1, ceil_mode=False)
    v4_y = x0 * 2 if x0.shape[0] % 2 == 0 else x0 + 1
    v4 = v4_y
    v5 = F.conv1d(F.pad(v3, (2, 0)), x2)
    return (v4, v5)
reference = program
example = (torch.zeros([9], dtype=torch.float32), torch.zeros([14, 1, 13], dtype=torch.float32), torch.zeros([2, 1, 3], dtype=torch.float32))
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: a}, {0: b + 1, 2: b}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= (args[1].size(0) - 1) // 1 <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32), torch.tensor([0.4145429730415344, 1.598848581314087], dtype=torch.float32).reshape((2, 1, 1)), torch.tensor([-1.8651601076126099, -1.7374027967453003, -0.3314747214317322, -1.8191523551940918, -1.0781261920928955, -0.978431761264801], dtype=torch.float32).reshape((2, 1, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
