# programs, dynamo.automatic on cpu: RAISED IndexError: only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got SymInt)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_t = x1.sort().values
    v2_a = v2_t[0].item()
    v2_b = v2_t[1].item()
    v2_c = v2_t[2].item()
    v2_d = v2_t[3].item()
    torch._check(v2_a >= 0)
    torch._check(v2_a <= v2_b)
    torch._check(v2_b <= v2_c)
    torch._check(v2_c <= v2_d)
    torch._check(v2_d <= 8)
    v2_0 = x0 + torch.ones(9, 9, device=x0.device)[v2_a, v2_b:v2_d].sum()
    v2 = v2_0
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([1, 3, 5, 2], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
