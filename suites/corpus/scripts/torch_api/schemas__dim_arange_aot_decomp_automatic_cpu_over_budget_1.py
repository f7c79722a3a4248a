# torch_api, aot_decomp.automatic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 2, actual 3 (it had changed before) (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.ops.aten._dim_arange.default(x0, 1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), ), {}),
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((2, 3)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
