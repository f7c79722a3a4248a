# programs, aot_decomp.automatic on cpu: RAISED UserError: Consider annotating your code using torch._check*(). Could not guard on data-dependent expression (Mod(u0, u1)) <= 8 (unhinted: (Mod(u0, u1)) <= 8). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3_a = (x1[0] + 1).item()
    v3_b = (x1[1] + 1).item()
    torch._check(v3_a % v3_b <= 8)
    torch._check(v3_a >= 1)
    torch._check(v3_b >= 1)
    v3_y = x0 * v3_a if v3_a % v3_b <= 8 else x0 + v3_b
    v3 = v3_y
    v3[x2] = 2.0
    v4 = v3
    return (v4,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([1, 3, 5, 2], dtype=torch.int64), torch.tensor([True, True, True, False], dtype=torch.bool).reshape((2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
