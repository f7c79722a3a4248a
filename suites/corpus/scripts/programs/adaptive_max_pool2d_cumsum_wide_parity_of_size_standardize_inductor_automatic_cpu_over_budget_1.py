# programs, inductor.automatic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 2. expected 5, actual 6 (it had changed before) (compiles 8, allowed 6)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.adaptive_max_pool2d(x0, (3, 2))
    v2 = (x0 - x0.mean(-3, keepdim=True)) / (x0.std(-3, keepdim=True) + 0.001)
    v3 = x0 * (x0.size(2) % 2)
    v4 = x0.cumsum(2, dtype=torch.float64)
    return (v1, v2, v3, v4)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(576, generator=G).to(torch.float16).reshape((1, 9, 8, 8)), ), {}),
    ((torch.randn(576, generator=G).to(torch.float16).reshape((1, 9, 8, 8)), ), {}),
    ((torch.randn(150, generator=G).to(torch.float16).reshape((1, 6, 5, 5)), ), {}),
    ((torch.randn(252, generator=G).to(torch.float16).reshape((1, 7, 6, 6)), ), {}),
    ((torch.randn(150, generator=G).to(torch.float16).reshape((1, 6, 5, 5)), ), {}),
    ((torch.randn(252, generator=G).to(torch.float16).reshape((1, 7, 6, 6)), ), {}),
    ((torch.randn(810, generator=G).to(torch.float16).reshape((1, 10, 9, 9)), ), {}),
    ((torch.randn(150, generator=G).to(torch.float16).reshape((1, 6, 5, 5)), ), {}),
    ((torch.randn(80, generator=G).to(torch.float16).reshape((1, 5, 4, 4)), ), {}),
    ((torch.randn(2940, generator=G).to(torch.float16).reshape((1, 15, 14, 14)), ), {}),
    ((torch.randn(150, generator=G).to(torch.float16).reshape((1, 6, 5, 5)), ), {}),
    ((torch.randn(150, generator=G).to(torch.float16).reshape((1, 6, 5, 5)), ), {}),
    ((torch.randn(80, generator=G).to(torch.float16).reshape((1, 5, 4, 4)), ), {}),
    ((torch.randn(3600, generator=G).to(torch.float16).reshape((1, 16, 15, 15)), ), {}),
    ((torch.randn(576, generator=G).to(torch.float16).reshape((1, 9, 8, 8)), ), {}),
    ((torch.tensor([1.2783203125, 0.6240234375, -0.427734375, 1.064453125, -0.0916748046875, 1.505859375, 0.256591796875, -0.302978515625, 0.201416015625, 0.97607421875, -0.457763671875, -1.4619140625], dtype=torch.float16).reshape((1, 3, 2, 2)), ), {}),
    ((torch.randn(576, generator=G).to(torch.float16).reshape((1, 9, 8, 8)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 6:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {6} suffice")
