# torch_api, aot_eager.dynamic on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.reshape(x0, (5, -1, 5))
    return parts(v0)

def program(x0):

    def taken(x0):
        return tuple((part.clone() for part in inner(x0)))

    def left(x0):
        return tuple((torch.zeros_like(part) for part in inner(x0)))
    return torch.cond(x0.sum() > 0, taken, left, (x0,))
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(50, generator=G).to(torch.float32).reshape((25, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
