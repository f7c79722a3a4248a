# torch_api, inductor_triton.automatic on interpreted: OVER_BUDGET tensor 'x0' size mismatch at index 2. expected 2, actual 4 (it had changed before) (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.glu(x0, 2)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1, 0, 2, 2)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1, 2, 2, 2)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 1, 4, 2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
