# torch_api, aoti.bounded on cpu: RAISED build raised InductorError: RuntimeError: more than one element of the written-to tensor refers to a single memory location
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0.true_divide_(x1)
    return parts(v0)
reference = program
example = (torch.zeros(90, dtype=torch.float16).as_strided([2, 9, 5], [0, 5, 1], 0), torch.zeros([2, 9, 5], dtype=torch.float16))
b = torch.export.Dim('b', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
dynamic_shapes = (({1: b, 2: c}, {1: b, 2: c}),)

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
    if 3 <= args[0].size(1) <= 16 and 3 <= args[0].size(2) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(561, generator=G).to(torch.float16).as_strided((2, 33, 17), (0, 17, 1)), torch.randn(1122, generator=G).to(torch.float16).reshape((2, 33, 17)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
