# torch_api, draft_export.named on cpu: RAISED AssertionError: Guard failed: 2 * args_0.size()[4] * args_0.size()[5] * args_0.size()[1] * args_0.size()[3] * (args_0.size()[0] // 2) == 9856
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.glu(x0, 0)
    return parts(v0)
from torch import Tensor

def differentiated(function):

    def with_gradients(*args):
        leaves = [arg.detach().requires_grad_() if isinstance(arg, Tensor) and arg.is_floating_point() else arg for arg in args]
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        with torch.enable_grad():
            outputs = function(*leaves)
            ends = [out for out in outputs if isinstance(out, Tensor) and out.requires_grad]
            ones = [torch.ones_like(end) for end in ends]
            found = torch.autograd.grad(ends, wanted, ones, allow_unused=True) if ends and wanted else ()
        found = found or (None,) * len(wanted)
        return (*(out.detach() if isinstance(out, Tensor) else out for out in outputs), *found)
    return with_gradients
reference = differentiated(program)
example = (torch.zeros(19712, dtype=torch.float32).as_strided([4, 7, 1, 4, 8, 11], [4928, 704, 704, 176, 22, 2], 0),)
e = torch.export.Dim('e')
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c')
d = torch.export.Dim('d')
dynamic_shapes = (({0: 2 * e, 1: a, 3: b, 4: c, 5: d},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.full((40319,), 0.0, dtype=torch.float32).as_strided((8, 8, 1, 15, 7, 3), (5040, 630, 630, 42, 6, 2)), ), {}),
    ((torch.randn(1343, generator=G).to(torch.float32).as_strided((4, 2, 1, 7, 4, 3), (336, 168, 168, 24, 6, 2)), ), {}),
    ((torch.randn(16799, generator=G).to(torch.float32).as_strided((4, 25, 1, 7, 4, 3), (4200, 168, 168, 24, 6, 2)), ), {}),
    ((torch.randn(1343, generator=G).to(torch.float32).as_strided((4, 2, 1, 7, 4, 3), (336, 168, 168, 24, 6, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
