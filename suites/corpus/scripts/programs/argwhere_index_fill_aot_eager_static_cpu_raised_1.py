# programs, aot_eager.static on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = torch.argwhere(x1)
    v3 = v2.index_fill(1, x0, 0)
    return (v3,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=False, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([0], dtype=torch.int64), torch.tensor([9, 3], dtype=torch.uint8), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
