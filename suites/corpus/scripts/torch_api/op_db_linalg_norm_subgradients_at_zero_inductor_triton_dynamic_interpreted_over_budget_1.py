# torch_api, inductor_triton.dynamic on interpreted: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 3, actual 2 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.linalg.norm(x0, 1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([-1.9475624561309814, 0.23981374502182007, 0.4951828718185425, -2.7092299461364746, -1.811477541923523, -1.1940325498580933], dtype=torch.float32).reshape((2, 3)), ), {}),
    ((torch.tensor([-1.7232930660247803, -1.4469369649887085, -0.6874569654464722, 0.5690504908561707], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
