# programs, export_saved.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(4*(c)*(c), 4*(c)*(c) + 4*(c)*(c)*(c)) == (4*(c)*(c))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = torch.outer(x0, x1)
    v5 = F.interpolate(x2, scale_factor=2, mode='nearest-exact')
    v6 = F.instance_norm(v5)
    v7_a = x0.unsqueeze(0)
    v7_b = v7_a[:, 1:]
    v7_b.transpose(0, 1).add_(1)
    v7 = x0
    v8 = v4[x3]
    return (v6, v7, v8)
reference = program
example = (torch.zeros(7, dtype=torch.float16).as_strided([6], [1], 1), torch.zeros(8, dtype=torch.float16).as_strided([4], [2], 0), torch.zeros(401, dtype=torch.float32).as_strided([5, 5, 4, 4], [80, 16, 4, 1], 1), torch.zeros([6], dtype=torch.int64))
a = torch.export.Dim('a', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
dynamic_shapes = (({0: a + 1}, {0: c}, {0: a, 1: c + 1, 2: c, 3: c}, {0: a + 1}),)

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
    if 3 <= (args[0].size(0) - 1) // 1 <= 16 and 3 <= args[1].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([0.0, 1.0, 1.0, 2.0, -2.0, 1.0, -2.0, -1.0, -1.0, -2.0, -3.0, 1.0], dtype=torch.float16), torch.tensor([0.0], dtype=torch.float16), torch.tensor([1.0551624298095703, -0.4741523861885071, -1.0461080074310303, 0.22211745381355286, 0.5260922312736511, -0.2361384779214859, 1.4826135635375977, 1.5177273750305176, 1.5688635110855103, 1.0041872262954712, -0.2861367166042328, 1.75802481174469, -0.5129845142364502, 1.7962239980697632, 1.3310375213623047, 0.4247647523880005, 0.218647301197052, -0.09705397486686707, -0.27826711535453796, 1.8838732242584229, 1.2301325798034668, 0.9963510632514954], dtype=torch.float32).reshape((11, 2, 1, 1)), torch.tensor([0, 5, 9, 2, 8, 1, 10, 6, 3, 5, 8, 12], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
