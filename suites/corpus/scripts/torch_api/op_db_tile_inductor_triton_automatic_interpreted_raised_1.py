# torch_api, inductor_triton.automatic on interpreted: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: Repeats cannot be negative, found s1 at index 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, n0):
    v0 = torch.tile(x0, (n0,))
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.uint64).reshape((2, 0)), 0, ), {}),
    ((torch.tensor([], dtype=torch.uint64).reshape((2, 0)), -1, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
