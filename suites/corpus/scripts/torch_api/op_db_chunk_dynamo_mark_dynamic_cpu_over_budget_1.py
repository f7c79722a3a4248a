# torch_api, dynamo.mark_dynamic on cpu: OVER_BUDGET (((-1) + x0.size()[2] + ((4 + x0.size()[2]) // 5)) // ((4 + x0.size()[2]) // 5)) == 2 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.chunk(x0, 5, -1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
MARKED = {0: {2: 'c'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([-2, -1, 2, 5, -3, 5, -2, 2], dtype=torch.int16).reshape((2, 2, 2)), ), {}),
    ((torch.tensor([4, -3, 5, 6, -1, 8, -2, -1, -2, 5, 1, 2], dtype=torch.int16).reshape((2, 2, 3)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
