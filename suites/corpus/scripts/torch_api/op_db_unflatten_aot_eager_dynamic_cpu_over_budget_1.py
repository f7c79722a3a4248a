# torch_api, aot_eager.dynamic on cpu: OVER_BUDGET (((-3) + x0.size()[0]) // 2) == 0 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    v1 = torch.unflatten(v0, 0, ((x0.shape[0] - 3) // 2, 2))
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((3, 0)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((5, 0)), torch.tensor([False, True, True, False, False], dtype=torch.bool), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
