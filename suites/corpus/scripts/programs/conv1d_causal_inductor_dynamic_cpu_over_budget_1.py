# programs, inductor.dynamic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 5, actual 16 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.conv1d(F.pad(x0, (2, 0)), x1)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(50, generator=G).to(torch.float16).reshape((2, 5, 5)), torch.full((75,), 0.0, dtype=torch.float16).reshape((5, 5, 3)), ), {}),
    ((torch.randn(512, generator=G).to(torch.float16).reshape((2, 16, 16)), torch.full((768,), 0.0, dtype=torch.float16).reshape((16, 16, 3)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
