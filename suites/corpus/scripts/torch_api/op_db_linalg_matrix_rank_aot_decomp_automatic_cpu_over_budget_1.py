# torch_api, aot_decomp.automatic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 2, actual 3 (it had changed before) (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.linalg.matrix_rank(x0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.complex128).reshape((0, 0, 2)), ), {}),
    ((torch.tensor([], dtype=torch.complex128).reshape((0, 2, 2)), ), {}),
    ((torch.tensor([], dtype=torch.complex128).reshape((0, 3, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
