# torch_api, inductor.mark_dynamic on cpu: OVER_BUDGET x0.size()[0]*x0.size()[1]*x0.size()[1] > 4096 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.linalg.inv(x0)
    v1 = torch.sum(v0)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'a', 1: 'a', 2: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(9261, generator=G).to(torch.float32).reshape((21, 21, 21)), ), {}),
    ((torch.randn(2197, generator=G).to(torch.float32).reshape((13, 13, 13)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
