# torch_api, aoti.dynamic on cpu: RAISED RuntimeError: input_handles[1]: dim value is too small at 2, expected it to be >= 8, but got: 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, n0):
    v0 = torch.nn.functional.conv_transpose3d(x0, x1, x2, stride=[n0, 1, 1], padding=1, output_padding=1, groups=1, dilation=(2, 3, 2))
    return parts(v0)
reference = program
example = (torch.zeros([1, 1, 6, 7, 5], dtype=torch.float32), torch.zeros([1, 1, 8, 12, 1], dtype=torch.float32), torch.zeros([1], dtype=torch.float32), 1)
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC, 4: torch.export.Dim.DYNAMIC}, {2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {}, None),)

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
    ((torch.randn(6975, generator=G).to(torch.float32).reshape((1, 1, 15, 15, 31)), torch.tensor([0.6376771330833435, -1.6557064056396484, 0.09867116808891296, 0.7906498312950134], dtype=torch.float32).reshape((1, 1, 2, 2, 1)), torch.tensor([-1.615058422088623], dtype=torch.float32), 1, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
