# programs, inductor.dynamic on cpu: OVER_BUDGET tensor 'x1' size mismatch at index 0. expected 30, actual 3 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.conv2d(x0, x1)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-1.0, 0.0, 1.0, 0.0, 2.0, -1.0, 0.0, 2.0, 3.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, -3.0, 2.0, 2.0, -1.0, 2.0, 3.0, 0.0], dtype=torch.float64).as_strided((2, 3, 2, 2), (4, 8, 2, 1)), torch.randn(90, generator=G).to(torch.float64).reshape((30, 3, 1, 1)), ), {}),
    ((torch.tensor([-5.316989898681641, -90.49403381347656, -83.61510467529297, -87.70199584960938, 178.9093017578125, 140.780517578125, 53.5751953125, 15.412785530090332, 258.4190368652344, -94.05958557128906, -14.042191505432129, -60.51375198364258, 99.55196380615234, -82.52002716064453, 119.83706665039062, -22.951141357421875, 62.6601448059082, -43.54130172729492, -6.208928108215332, 42.15458679199219, -152.71775817871094, 91.18661499023438, -123.10354614257812, 31.787433624267578], dtype=torch.float64).as_strided((2, 3, 2, 2), (4, 8, 2, 1)), torch.tensor([-3.0, -3.0, 1.0, 1.0, -2.0, 3.0, 0.0, 2.0, -1.0], dtype=torch.float64).reshape((3, 3, 1, 1)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
