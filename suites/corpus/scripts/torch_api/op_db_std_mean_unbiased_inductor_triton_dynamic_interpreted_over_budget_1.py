# torch_api, inductor_triton.dynamic on interpreted: OVER_BUDGET tensor 'x0' size mismatch at index 0. expected 2, actual 3 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.std_mean(x0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([(1.5409960746765137-2.1787893772125244j), (-0.293428897857666+0.5684312582015991j)], dtype=torch.complex128), ), {}),
    ((torch.tensor([(1.5409960746765137+0.5684312582015991j), (-0.293428897857666-1.0845223665237427j), (-2.1787893772125244-1.3985954523086548j)], dtype=torch.complex128), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
