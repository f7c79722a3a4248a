# programs, aot_eager.dynamic on cpu: WRONG_STRIDES [4] other strides than eager's, and it keeps the memory format of an argument (got [2, 1], expected [1, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.normalize(x1, p=1.0, dim=-2)
    return (x0, x3, v4, x2)
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

calls = [
    ((torch.tensor([-1, -3], dtype=torch.int32).as_strided((2, 2), (0, 1)), torch.tensor([-2.0, 2.0, 1.0, -3.0], dtype=torch.float32).as_strided((2, 2), (1, 2)), torch.tensor([2.0, 3.0, -2.0, 1.0, 0.0, -3.0, -2.0, -1.0, 1.0, -3.0, -2.0, 1.0, -1.0, -3.0, 3.0, 3.0, 1.0, 1.0, 0.0, 1.0, -1.0, 3.0, 3.0, -3.0, 2.0, 0.0, -3.0, 0.0], dtype=torch.float32).reshape((2, 2, 7)), torch.tensor([3, 3, 5, 2, 5, 5, 5, 3, 0, 2, 0, 0, 0, 5, 2, 1, 3, 3, 5, 5, 3, 0, 0, 0, 3], dtype=torch.int64).reshape((5, 5)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
