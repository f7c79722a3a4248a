# programs, aot_decomp.automatic on cpu: RAISED UserError: Consider annotating your code using torch._check*(). Could not guard on data-dependent expression (Mod(u0, u1)) <= 8 (unhinted: (Mod(u0, u1)) <= 8). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_a = (x1[0] + 1).item()
    v2_b = (x1[1] + 1).item()
    torch._check(v2_a % v2_b <= 8)
    torch._check(v2_a >= 0)
    torch._check(v2_b >= 0)
    v2_y = x0 * v2_a if v2_a % v2_b <= 8 else x0 + v2_b
    v2 = v2_y
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([0, 4, 2, 1], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
