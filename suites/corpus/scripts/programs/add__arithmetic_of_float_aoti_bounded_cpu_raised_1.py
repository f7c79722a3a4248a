# programs, aoti.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (a) <= (a) & (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import dataclasses

@dataclasses.dataclass
class Pair:
    left: int
    right: int

    def total(self):
        return self.left + 2 * self.right

def program(x0, s1, x2):
    v3_0 = x0 / (abs(max(x0.shape[0] & x0.shape[0], Pair(x0.shape[0], 0).total(), 3) + s1) + 1)
    v3_1 = v3_0 + v3_0[max(x0.shape[0] & x0.shape[0], min(x0.shape[0], x0.shape[0])) % v3_0.shape[0]:].sum(0)
    v3 = v3_1
    v4 = v3.add_(x2 * 2)
    return (v4,)
reference = program
example = (torch.zeros([10], dtype=torch.float16), 3.0, torch.zeros([10], dtype=torch.float16))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a}, None, {0: a}),)

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
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16), 3.0, torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
