# programs, aoti.bounded on cpu: RAISED RuntimeError: input_handles[0]: dim value is too small at 0, expected it to be >= 23, but got: 9
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

@torch.compiler.nested_compile_region
def region(part, number):
    return (part.sin() * number, part.shape[0] * 2 + number)

def program(x0, x1, x2, x3, x4, x5):
    v6_y, v6_n = region(x0, 3)
    v6_z, _ = region(v6_y, v6_n)
    v6 = v6_z + torch.full((v6_n,), 1.0, device=x0.device).sum()
    v7 = v6[x1]
    v8 = x0.index_select(0, x1)
    v9 = F.conv2d(x2, x3)
    v10 = (x4 == x4).to(torch.int64).cumprod(-1).sum(-1)
    v11 = torch.empty(v6.shape, device=v6.device).uniform_(-1.0, 1.0)
    v12_copy = x4.clone()
    v12_copy[x5] = 2
    v12 = v12_copy
    return (v7, v8, v9, v10, v11, v12)
reference = program
example = (torch.zeros([23], dtype=torch.bfloat16), torch.zeros([3], dtype=torch.int64), torch.zeros([8, 7, 3, 7], dtype=torch.bfloat16), torch.zeros(161, dtype=torch.bfloat16).as_strided([23, 7, 1, 1], [0, 1, 1, 1], 0), torch.zeros(162, dtype=torch.int64).as_strided([23, 7], [7, 1], 1), torch.zeros([3], dtype=torch.int32))
a = torch.export.Dim('a', min=3, max=24)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: a}, {}, {1: b, 3: b}, {0: a, 1: b}, {0: a, 1: b}, {}),)

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
    if 3 <= args[0].size(0) <= 24 and 3 <= args[2].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-0.76953125, -0.828125, 0.5625, -0.0, 0.359375, -1.40625, 1.328125, -1.5625, 0.61328125], dtype=torch.bfloat16), torch.tensor([7, 0, 8], dtype=torch.int64), torch.randn(384, generator=G).to(torch.bfloat16).reshape((8, 4, 3, 4)), torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.bfloat16).as_strided((9, 4, 1, 1), (0, 1, 1, 1)), torch.tensor([1, 2, 0, 3, 3, 1, 1, 3, 1, 2, 3, 2, 2, 2, 2, 1, 3, 1, 3, 0, 1, 0, 1, 3, 2, 2, 1, 1, 1, 2, 3, 2, 3, 2, 1, 3], dtype=torch.int64).reshape((9, 4)), torch.tensor([3, 5, 2], dtype=torch.int32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
