# programs, export_again.named on cpu: RAISED build raised RuntimeError: The size of tensor a (s90) must match the size of tensor b (s12) at non-singleton dimension 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3_n = x1.sum().item()
    torch._check(v3_n >= 0)
    torch._check(v3_n <= x0.shape[0])
    v3 = x0.unsqueeze(0).expand(v3_n, *x0.shape)
    v4_x = x2.clone(memory_format=torch.contiguous_format)
    v4, v5 = torch._higher_order_ops.scan(lambda h, row: (h + row, h * 2), torch.ones_like(v4_x[0]), v4_x, reverse=True)
    v6 = torch.func.vjp(torch.tanh, v4)[1](v4 + 1)[0]
    return (v3, v6)
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
example = (torch.zeros(163, dtype=torch.bool).as_strided([9, 9, 2], [18, 2, 1], 1), torch.zeros([9], dtype=torch.bool), torch.zeros([13, 2, 9, 12], dtype=torch.float32))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 1: a}, {0: a}, {0: b + 1, 2: a, 3: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.full((162,), True, dtype=torch.bool).reshape((9, 9, 2)), torch.tensor([False, False, False, False, False, True, False, False, False], dtype=torch.bool), torch.randn(2376, generator=G).to(torch.float32).reshape((12, 2, 9, 11)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
