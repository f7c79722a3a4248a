# torch_api, inductor.oblivious on cpu: RAISED BackendCompilerFailed: backend='inductor' raised: GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, n0):
    v0 = torch.movedim(x0, [0, 1, 2, 3], [3, n0, x1, 0])
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
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(15972, generator=G).to(torch.float32).reshape((22, 22, 33, 1)), torch.tensor([1], dtype=torch.int64).reshape(()), 2, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
