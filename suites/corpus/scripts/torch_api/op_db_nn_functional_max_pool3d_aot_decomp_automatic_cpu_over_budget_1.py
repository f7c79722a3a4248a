# torch_api, aot_decomp.automatic on cpu: OVER_BUDGET (x0.size()[4] // 3) == 1 (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.max_pool3d(x0, kernel_size=3)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(150, generator=G).to(torch.float32).reshape((1, 2, 3, 5, 5)), ), {}),
    ((torch.randn(96, generator=G).to(torch.float32).reshape((1, 2, 3, 4, 4)), ), {}),
    ((torch.randn(216, generator=G).to(torch.float32).reshape((1, 2, 3, 6, 6)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
