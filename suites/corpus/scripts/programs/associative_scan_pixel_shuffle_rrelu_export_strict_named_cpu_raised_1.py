# programs, export_strict.named on cpu: RAISED build raised AssertionError: Cannot create Dim with inconsistent min=2, max=2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.pixel_shuffle(x0, 2)
    v3_x = x1.clone(memory_format=torch.contiguous_format)
    v3 = torch._higher_order_ops.associative_scan(torch.add, v3_x, 0, combine_mode='generic')
    v4 = F.rrelu(x1.to(torch.float32), training=True)
    return (v2, v3, v4)
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
example = (torch.zeros([7, 4, 8, 8], dtype=torch.float16), torch.zeros([12, 12], dtype=torch.float16))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c', min=1)
dynamic_shapes = (({0: a, 2: 2 * b, 3: 2 * b}, {0: c, 1: c}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float16).reshape((16, 4, 0, 0)), torch.randn(484, generator=G).to(torch.float16).reshape((22, 22)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
