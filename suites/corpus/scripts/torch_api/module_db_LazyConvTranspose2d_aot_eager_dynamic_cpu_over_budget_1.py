# torch_api, aot_eager.dynamic on cpu: OVER_BUDGET 2 <= x0.size()[0] <= 15 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.LazyConvTranspose2d(5, 3).train()
module(torch.zeros([2, 4, 3, 4]))

def program(x0, x1, x2):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2}, (x0,), {})
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(288, generator=G).to(torch.float32).as_strided((6, 4, 6, 2), (1, 6, 24, 144)), torch.randn(180, generator=G).to(torch.float32).as_strided((4, 5, 3, 3), (1, 4, 20, 60)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32), ), {}),
    ((torch.randn(3872, generator=G).to(torch.float32).as_strided((22, 4, 22, 2), (1, 22, 88, 1936)), torch.randn(180, generator=G).to(torch.float32).as_strided((4, 5, 3, 3), (1, 4, 20, 60)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
