# torch_api, inductor_triton.unbacked+hinted on interpreted: OVER_BUDGET n0 == -1 (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, n0):
    v0 = torch.transpose_copy(x0, -1, n0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {2: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, hint_override=64)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 2, 0)), 2, ), {}),
    ((torch.tensor([-0.8871213793754578, -0.9997841119766235], dtype=torch.float32).reshape((1, 2, 1)), -1, ), {}),
    ((torch.tensor([0.6613521575927734, 0.266924113035202, 0.06167725846171379, 0.6213173270225525], dtype=torch.float32).reshape((1, 2, 2)), 2, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
