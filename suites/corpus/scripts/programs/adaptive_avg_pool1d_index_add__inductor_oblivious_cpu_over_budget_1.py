# programs, inductor.oblivious on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 5, actual 2 (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.adaptive_avg_pool1d(x0, 3)
    v4 = x0.index_add_(2, x1, x2 * 2)
    return (v3,)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(150, generator=G).to(torch.bfloat16).reshape((6, 5, 5)), torch.tensor([0, 0, 0, 0, 0], dtype=torch.int64).as_strided((3,), (2,)), torch.randn(90, generator=G).to(torch.bfloat16).reshape((6, 5, 3)), ), {}),
    ((torch.tensor([-2.0, 3.0, -3.0, -1.0, -1.0, -2.0, 1.0, 1.0, 3.0, -3.0, 3.0, 1.0], dtype=torch.bfloat16).reshape((3, 2, 2)), torch.tensor([0, 0, 0, 0, 0], dtype=torch.int64).as_strided((3,), (2,)), torch.tensor([2.53125, 0.404296875, 0.64453125, -0.6484375, -0.2333984375, -1.0703125, -0.1923828125, -0.26171875, 0.8359375, 1.3515625, 1.421875, 0.36328125, 1.1015625, -1.0234375, 0.62890625, -0.65234375, -0.09375, -0.23828125], dtype=torch.bfloat16).reshape((3, 2, 3)), ), {}),
    ((torch.full((576,), 0.0, dtype=torch.bfloat16).reshape((9, 8, 8)), torch.tensor([4, 4, 4, 4, 5], dtype=torch.int64).as_strided((3,), (2,)), torch.randn(216, generator=G).to(torch.bfloat16).reshape((9, 8, 3)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
