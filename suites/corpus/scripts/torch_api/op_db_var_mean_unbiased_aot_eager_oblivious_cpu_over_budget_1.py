# torch_api, aot_eager.oblivious on cpu: OVER_BUDGET x0.size()[0] == 1 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.var_mean(x0)
    return parts(v0)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([(1.5409960746765137-0.293428897857666j)], dtype=torch.complex64), ), {}),
    ((torch.tensor([], dtype=torch.complex64), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
