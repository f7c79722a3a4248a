# programs, inductor_triton.static on interpreted: RAISED UserError: Consider annotating your code using torch._check*(). Could not guard on data-dependent expression u0 - (Mod(u1, 8)) >= 0 (unhinted: u0 - (Mod(u1, 8)) >= 0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_a = (x1[0] + 1).item()
    v2_b = (x1[0] * 1 + 1).item()
    torch._check(v2_a - v2_b % 8 >= 0)
    torch._check(v2_a >= 1)
    torch._check(v2_b >= 1)
    v2_y = x0 * v2_a if v2_a - v2_b % 8 >= 0 else x0 + v2_b
    v2 = v2_y
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=False, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([1, 3, 5, 2], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
