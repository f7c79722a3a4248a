# programs, inductor.mark_dynamic on cpu: RAISED UserError: Consider annotating your code using torch._check*(). Could not guard on data-dependent expression Eq(Mod(u1, u0), 0) (unhinted: Eq(Mod(u1, u0), 0)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.interpolate(x0, scale_factor=2, mode='bilinear')
    v5 = F.fold(x1, output_size=(3, 4), kernel_size=2)
    v6 = x2[torch.randperm(x2.shape[0], device=x2.device)]
    v7_a = (x3[0] + 1).item()
    v7_b = (x3[0] * 1 + 1).item()
    torch._check(v7_b % v7_a == 0)
    torch._check(v7_a >= 1)
    torch._check(v7_b >= 1)
    v7_y = x1 * v7_a if v7_b % v7_a == 0 else x1 + v7_b
    v7 = v7_y
    return (v4, v5, v6, v7)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1, 'fallback_random': True})
MARKED = {0: {0: 'a', 1: 'a', 2: 'a'}, 1: {1: '4*a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(375, generator=G).to(torch.float16).as_strided((5, 5, 5, 3), (15, 75, 3, 1)), torch.randn(480, generator=G).to(torch.float64).as_strided((4, 20, 6), (1, 4, 80)), torch.tensor([-1.5751113891601562], dtype=torch.float64), torch.tensor([6, 7, 3, 2], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
