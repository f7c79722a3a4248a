# programs, aoti.dynamic on cpu: RAISED RuntimeError: input_handles[1]: dim value is too small at 1, expected it to be >= 7, but got: 5
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = x0 == x0
    v6 = F.conv2d(x1, x2, x3, stride=1, padding=1, dilation=1)
    v7 = F.glu(x4, dim=1)
    v8_x = x4.clone(memory_format=torch.contiguous_format)
    v8 = torch._higher_order_ops.while_loop(lambda i, part: i < x4.shape[0], lambda i, part: (i + 1, part * 0.5 + i), (torch.zeros((), dtype=torch.int64, device=x4.device), v8_x))[1]
    return (v5, v6, v7, v8)
reference = program
example = (torch.zeros([9, 1], dtype=torch.float32), torch.zeros(3528, dtype=torch.float32).as_strided([8, 7, 9, 7], [441, 1, 49, 7], 0), torch.zeros(756, dtype=torch.float32).as_strided([6, 7, 3, 3], [126, 18, 6, 2], 0), torch.zeros([6], dtype=torch.float32), torch.zeros(19, dtype=torch.float16).as_strided([1, 2, 9], [18, 9, 1], 1))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {2: torch.export.Dim.DYNAMIC}),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape((7, 1)), torch.randn(1050, generator=G).to(torch.float32).as_strided((6, 5, 7, 5), (175, 1, 25, 5)), torch.randn(539, generator=G).to(torch.float32).as_strided((6, 5, 3, 3), (90, 18, 6, 2)), torch.tensor([-1.3530133962631226, -0.5654850006103516, 0.10934280604124069, 0.27328598499298096, 0.8380263447761536, 0.8417636752128601], dtype=torch.float32), torch.tensor([1.1396484375, 1.6845703125, -0.0, -2.1015625, -0.12841796875, -1.580078125, -0.286376953125, float("inf"), 0.0, 0.056640625, 0.104248046875, -0.5986328125, float("inf"), float("inf")], dtype=torch.float16).reshape((1, 2, 7)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
