# programs, aot_eager.dynamic on cpu: WRONG_STRIDES [7] other strides than eager's, and it keeps the memory format of an argument (got [3, 1], expected [1, 8])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6_copy = x0.clone()
    v6_copy[:, x1] = 1
    v6 = v6_copy
    v7 = x0.sum()
    v8_n = x3.sum().item()
    torch._check(v8_n >= 0)
    torch._check(v8_n <= x2.shape[0])
    v8 = x2.unsqueeze(0).repeat(v8_n, *[1] * x2.dim())
    v9 = F.dropout1d(x5, 0.5)
    return (v7, v8, v6, x4, v9)
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
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([126.6875], dtype=torch.float16).reshape((1, 1)), torch.tensor([0, 0, 0], dtype=torch.int64), torch.tensor([(-0.29203104972839355-0.8296959400177002j), (0.7441641092300415+0.19666649401187897j)], dtype=torch.complex64), torch.tensor([True, True], dtype=torch.bool), torch.randn(384, generator=G).to(torch.float32).as_strided((8, 1, 8, 6), (1, 8, 8, 64)), torch.tensor([2.0, -3.0, 0.0, -2.0, 3.0, 2.0, 2.0, -2.0, -1.0, 3.0, 1.0, -1.0, 3.0, -2.0, -3.0, -3.0, 3.0, -3.0, 2.0, 3.0, -2.0, -3.0, 3.0, -3.0], dtype=torch.float32).as_strided((8, 3), (1, 8)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
