# programs, aoti.bounded on cpu: RAISED build raised InductorError: GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 + 13 (unhinted: s65 + u0 + 1). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.huber_loss(x0, x0, delta=2.0, reduction='mean')
    v4 = x0.flatten(0, 0 + 1)
    v5_n = x2.sum().item()
    torch._check(v5_n >= 0)
    torch._check(v5_n <= x1.shape[0])
    v5 = torch.cat((x1, x1[:v5_n]))
    v6 = v5.cumsum(-1) / torch.arange(1, v5.shape[-1] + 1, device=v5.device)
    v7 = torch.func.vjp(torch.tanh, v6)[1](v6 + 1)[0]
    v8, v9, v10 = torch.unique_consecutive(x0, return_inverse=True, return_counts=True)
    return (v3, v4, v7, v8, v9, v10)
reference = program
example = (torch.zeros([9, 9], dtype=torch.float64), torch.zeros([13, 9, 9], dtype=torch.float32), torch.zeros([13], dtype=torch.bool))
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: a, 1: a}, {0: b + 1, 1: a, 2: a}, {0: b + 1}),)

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
    if 3 <= args[0].size(0) <= 16 and 3 <= (args[1].size(0) - 1) // 1 <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(1024, generator=G).to(torch.float64).reshape((32, 32)), torch.randn(4096, generator=G).to(torch.float32).reshape((4, 32, 32)), torch.tensor([False, True, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
