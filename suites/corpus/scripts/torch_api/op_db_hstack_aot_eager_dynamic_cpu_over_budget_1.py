# torch_api, aot_eager.dynamic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 0. expected 3, actual 2 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.hstack((x0, x1, x2))
    return parts(v0)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, 0))(x0, x1, x2)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1, 7, 1, 5, -4], dtype=torch.int32).reshape((3, 2, 2)), torch.tensor([4, 1, -2, 0, 0, -2, 0, 5, 2, 5, 7, -2, 0, 7, -3, -1, -3, 0], dtype=torch.int32).reshape((3, 2, 3)), torch.tensor([-3, -4, 7, 8, -1, 7, 6, 5, -3, 0, 0, 3, -4, 1, 9, 7, 1, 7], dtype=torch.int32).reshape((3, 2, 3)), ), {}),
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1], dtype=torch.int32).reshape((2, 2, 2)), torch.tensor([7, 1, 5, -4, 4, 1, -2, 0], dtype=torch.int32).reshape((2, 2, 2)), torch.tensor([0, -2, 0, 5, 2, 5, 7, -2], dtype=torch.int32).reshape((2, 2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
