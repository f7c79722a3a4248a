# torch_api, aot_eager.dynamic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 3, actual 4 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.ops.aten.soft_margin_loss_backward.default(x0, x1, x2, 1)
    return parts(v0)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, 0))(x0, x1, x2)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.full((54,), 0.0, dtype=torch.float32).reshape((2, 3, 3, 3)), torch.randn(107, generator=G).to(torch.float32).as_strided((2, 3, 3, 3), (54, 18, 6, 2)), torch.full((54,), 0.0, dtype=torch.float32).as_strided((2, 3, 3, 3), (9, 18, 3, 1)), ), {}),
    ((torch.full((128,), 0.0, dtype=torch.float32).reshape((2, 4, 4, 4)), torch.randn(255, generator=G).to(torch.float32).as_strided((2, 4, 4, 4), (128, 32, 8, 2)), torch.full((128,), 0.0, dtype=torch.float32).as_strided((2, 4, 4, 4), (16, 32, 4, 1)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
