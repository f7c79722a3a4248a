# torch_api, inductor_triton.dynamic on interpreted: OVER_BUDGET n0 == 1 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, n0):
    v0 = x0.unfold(2, 3, n0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1, 7, 1, 5, -4], dtype=torch.int8).reshape((2, 2, 3)), 1, ), {}),
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1, 7, 1, 5, -4], dtype=torch.int8).reshape((2, 2, 3)), 2, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
