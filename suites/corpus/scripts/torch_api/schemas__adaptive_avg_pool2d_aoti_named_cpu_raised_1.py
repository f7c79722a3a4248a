# torch_api, aoti.named on cpu: RAISED RuntimeError: input_handles[0]: dim value is too small at 2, expected it to be >= 12, but got: 5
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, n0):
    v0 = x0[x1]
    v1 = torch.ops.aten._adaptive_avg_pool2d.default(v0, [n0, 1])
    return parts(v1)
reference = program
example = (torch.zeros([12, 10, 12, 6], dtype=torch.float64), torch.zeros([12], dtype=torch.bool), 1)
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c', min=1)
d = torch.export.Dim('d', min=1)
dynamic_shapes = (({0: a + 3, 1: b, 2: c, 3: d}, {0: a + 3}, None),)

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
    ((torch.randn(760, generator=G).to(torch.float64).reshape((19, 4, 5, 2)), torch.tensor([True, False, True, False, True, True, True, True, True, True, True, True, True, False, True, True, True, True, True], dtype=torch.bool), 1, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
