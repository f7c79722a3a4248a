# torch_api, dynamo.mark_dynamic on cpu: OVER_BUDGET n0 == -1 (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, n0):
    v0 = torch.transpose(x0, n0, 0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
MARKED = {0: {1: 'b', 2: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0, 0)), 2, ), {}),
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1, 1)), -1, ), {}),
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1, 1)), 2, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
