# programs, dynamo.automatic on cpu: RAISED AssertionError: fake_mode should be enabled for HOPs
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


@torch.compiler.nested_compile_region
def region(part, number):
    return (part.sin() * number, part.shape[0] * 2 + number)

def program(x0):
    v1_y, v1_n = region(x0, 3)
    v1_z, _ = region(v1_y, v1_n)
    v1 = v1_z + torch.full((v1_n,), 1.0, device=x0.device).sum()
    return (v1,)
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
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
implementation = compiled
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
