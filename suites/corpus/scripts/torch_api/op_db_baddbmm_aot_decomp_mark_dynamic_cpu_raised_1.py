# torch_api, aot_decomp.mark_dynamic on cpu: RAISED AssertionError: lift_tracked_freevar_to_input should not be called on root SubgraphTracer
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2, n0):
    v0 = torch.baddbmm(x0, x1, x2, alpha=n0)
    return parts(v0)

def program(x0, x1, x2, n0):

    def taken(x0, x1, x2):
        return tuple((part.clone() for part in inner(x0, x1, x2, n0)))

    def left(x0, x1, x2):
        return tuple((torch.zeros_like(part) for part in inner(x0, x1, x2, n0)))
    return torch.cond(x0.sum() > 0, taken, left, (x0, x1, x2))
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {1: {0: 'a', 1: 'b', 2: 'c'}, 2: {0: 'a', 1: 'c', 2: 'd'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-2.0], dtype=torch.float32).reshape(()), torch.randn(672, generator=G).to(torch.float32).reshape((7, 16, 6)), torch.randn(1260, generator=G).to(torch.float32).reshape((7, 6, 30)), 0.6, ), {}),
    ((torch.tensor([-1.0], dtype=torch.float32).reshape(()), torch.tensor([], dtype=torch.float32).reshape((5, 0, 17)), torch.randn(85, generator=G).to(torch.float32).reshape((5, 17, 1)), -0.25, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
