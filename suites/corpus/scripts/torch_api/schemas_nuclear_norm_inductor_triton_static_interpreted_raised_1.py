# torch_api, inductor_triton.static on interpreted: RAISED InductorError: ValueRangeError: Invalid ranges [0:-1]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    v1 = torch.ops.aten.nuclear_norm.default(v0)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=False, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((5, 0)), torch.tensor([False, True, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
