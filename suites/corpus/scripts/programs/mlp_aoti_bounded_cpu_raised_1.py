# programs, aoti.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min((b), (b)*(b)) == (b)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.linear(F.gelu(F.linear(x0, x1, x2)), x3)
    return (v4,)
reference = program
example = (torch.zeros([9, 9, 9], dtype=torch.float16), torch.zeros([1, 9], dtype=torch.float16).as_strided([1, 9], [9, 1], 0), torch.zeros([1], dtype=torch.float16), torch.zeros([9, 1], dtype=torch.float16).as_strided([9, 1], [0, 1], 0))
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: b, 1: b, 2: b}, {1: b}, {}, {0: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)
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
    ((torch.tensor([19.671875, -119.1875, -89.8125, -11.5078125, 25.765625, 8.25, -28.78125, -21.25, -15.0703125, 48.125, 31.546875, -73.4375, 13.9921875, 109.875, -157.25, 67.125, -105.0625, -160.75, 8.2578125, -193.875, 112.4375, 27.875, 42.71875, -54.5, 257.25, 210.25, -153.125], dtype=torch.float16).reshape((3, 3, 3)).data, torch.tensor([0.0, 0.0, 0.0], dtype=torch.float16).reshape((1, 3)).data, torch.tensor([3.0], dtype=torch.float16), torch.tensor([-0.299072265625], dtype=torch.float16).as_strided((3, 1), (0, 1)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
