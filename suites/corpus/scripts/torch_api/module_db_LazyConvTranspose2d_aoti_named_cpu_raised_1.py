# torch_api, aoti.named on cpu: RAISED RuntimeError: input_handles[0]: dim value is too large at 0, expected to be <= 15, but got: 17
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.LazyConvTranspose2d(5, 3).train()
module(torch.zeros([2, 4, 3, 4]))

def program(x0, x1, x2):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([5, 4, 7, 4], dtype=torch.float32), torch.zeros([4, 5, 3, 3], dtype=torch.float32), torch.zeros([5], dtype=torch.float32))
a = torch.export.Dim('a')
b = torch.export.Dim('b', min=1)
c = torch.export.Dim('c', min=1)
dynamic_shapes = (({0: a, 2: b, 3: c}, {}, {}),)

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
    ((torch.randn(1984, generator=G).to(torch.float32).reshape((8, 4, 2, 31)), torch.randn(180, generator=G).to(torch.float32).reshape((4, 5, 3, 3)), torch.tensor([-1.1692090034484863, 1.1438865661621094, 1.0617355108261108, 0.6931700706481934, -0.10101668536663055], dtype=torch.float32), ), {}),
    ((torch.randn(2976, generator=G).to(torch.float32).reshape((8, 4, 3, 31)), torch.randn(180, generator=G).to(torch.float32).reshape((4, 5, 3, 3)), torch.tensor([-0.24542777240276337, 0.6331878900527954, -0.04532015323638916, 0.38983747363090515, -0.47492483258247375], dtype=torch.float32), ), {}),
    ((torch.randn(56100, generator=G).to(torch.float32).reshape((17, 4, 33, 25)), torch.randn(180, generator=G).to(torch.float32).reshape((4, 5, 3, 3)), torch.tensor([1.20417058467865, 0.28207120299339294, -1.6955465078353882, -1.2162535190582275, -0.24398000538349152], dtype=torch.float32), ), {}),
    ((torch.randn(29760, generator=G).to(torch.float32).reshape((8, 4, 30, 31)), torch.randn(180, generator=G).to(torch.float32).reshape((4, 5, 3, 3)), torch.tensor([0.38794854283332825, -1.751988172531128, -1.0962599515914917, 0.017149988561868668, -0.02776983380317688], dtype=torch.float32), ), {}),
    ((torch.randn(2976, generator=G).to(torch.float32).reshape((8, 4, 3, 31)), torch.randn(180, generator=G).to(torch.float32).reshape((4, 5, 3, 3)), torch.tensor([-0.24542777240276337, 0.6331878900527954, -0.04532015323638916, 0.38983747363090515, -0.47492483258247375], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
