# programs, aoti.dynamic on cpu: RAISED RuntimeError: input_handles[0]: dim value is too small at 1, expected it to be >= 4, but got: 3
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.conv_transpose2d(x0, x1, x2, stride=2, padding=0, output_padding=1)
    v4 = torch.log1p(x1)
    return (v3, v4)
reference = program
example = (torch.zeros(640, dtype=torch.bfloat16).as_strided([4, 4, 8, 5], [1, 4, 16, 128], 0), torch.zeros(108, dtype=torch.bfloat16).as_strided([4, 3, 3, 3], [0, 9, 3, 1], 0), torch.zeros([3], dtype=torch.bfloat16))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {}),)

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
    ((torch.randn(288, generator=G).to(torch.bfloat16).as_strided((3, 3, 8, 4), (1, 3, 9, 72)), torch.tensor([2.296875, -0.051513671875, -0.37890625, -1.625, -0.73828125, 1.78125, 1.0390625, -0.66015625, -0.1259765625, 0.421875, 0.38671875, 1.65625, 0.022705078125, 0.11279296875, -1.2421875, -1.5859375, 0.2412109375, 0.1171875, -0.63671875, 0.0966796875, 0.578125, -0.6875, -0.162109375, -0.2578125, -0.6015625, -1.453125, 0.78125], dtype=torch.bfloat16).as_strided((3, 3, 3, 3), (0, 9, 3, 1)), torch.tensor([0.75, -0.2080078125, -1.6796875], dtype=torch.bfloat16), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
