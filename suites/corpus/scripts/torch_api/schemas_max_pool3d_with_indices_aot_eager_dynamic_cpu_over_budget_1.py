# torch_api, aot_eager.dynamic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 2. expected 9, actual 5 (compiles 3, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.ops.aten.max_pool3d_with_indices.default(x0, [1, 1, 1])
    return parts(v0)

def program(x0):
    return torch.vmap(inner, in_dims=(0,))(x0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 9, 9, 9, 9)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 5, 5, 5, 5)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 3, 3, 3, 3)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
