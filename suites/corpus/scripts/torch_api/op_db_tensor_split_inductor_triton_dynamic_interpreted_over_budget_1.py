# torch_api, inductor_triton.dynamic on interpreted: OVER_BUDGET tensor 'x1' size mismatch at index 0. expected 21, actual 7 (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0.tensor_split(x1, 1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 7, 31)), torch.tensor([3, 2, 1, 1, 3, 2, 2, 2, 3, 2, 2, 3, 3, 3, 1, 1, 1, 1, 3, 2, 3], dtype=torch.int64), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 7, 31)), torch.tensor([1, 1, 1, 3, 3, 3, 3], dtype=torch.int64), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 7, 1)), torch.tensor([1, 3, 2, 2, 3, 2, 2, 3, 2, 3, 3, 3, 2, 3, 3, 1, 3, 2, 2, 2, 2], dtype=torch.int64), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
