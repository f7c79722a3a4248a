# programs, aot_decomp.dynamic on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(2*u0, 2) (unhinted: Eq(s6*u0, s6)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_n = x1.sum().item()
    torch._check(v2_n >= 0)
    torch._check(v2_n <= x0.shape[0])
    v2 = x0.unsqueeze(0).expand(v2_n, *x0.shape)
    v3, v4 = torch.func.jvp(torch.sin, (v2,), (v2 * 2,))
    return (v3,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
