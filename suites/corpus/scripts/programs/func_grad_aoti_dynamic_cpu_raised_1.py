# programs, aoti.dynamic on cpu: RAISED build raised InductorError: RuntimeError: The tensor has a non-zero number of elements, but its data is not allocated yet.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.func.grad(lambda part: part.sin().sum())(x0)
    return (v1,)
reference = program
example = (torch.zeros([9, 9], dtype=torch.float32),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC},),)

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
    ((torch.randn(49, generator=G).to(torch.float32).reshape((7, 7)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
