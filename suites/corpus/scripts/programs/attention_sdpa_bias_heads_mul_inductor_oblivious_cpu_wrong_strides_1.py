# programs, inductor.oblivious on cpu: WRONG_STRIDES [5] other strides than eager's, and it keeps the memory format of an argument (got [42, 7, 1], expected [7, 35, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = F.scaled_dot_product_attention(x0, x1, x2, attn_mask=x3)
    v6 = x3 * x4
    return (v5, v6)
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
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(900, generator=G).to(torch.float16).as_strided((5, 5, 6, 6), (180, 1, 30, 5)), torch.randn(1050, generator=G).to(torch.float16).as_strided((5, 5, 7, 6), (1, 5, 25, 175)), torch.randn(350, generator=G).to(torch.float16).as_strided((5, 5, 7, 2), (14, 70, 2, 1)), torch.randn(210, generator=G).to(torch.float16).as_strided((5, 6, 7), (7, 35, 1)), torch.tensor([111.6875, 81.25, 178.75, -75.875, 45.125, 90.5, -81.625], dtype=torch.float16), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
