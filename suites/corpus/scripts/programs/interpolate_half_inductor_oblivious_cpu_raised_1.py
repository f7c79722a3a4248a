# programs, inductor.oblivious on cpu: RAISED InductorError: LoweringException: TypeError: cannot determine truth value of Relational: (((2*TruncToInt(0.5*ToFloat(s24)) + 8)//(TruncToInt(0.5*ToFloat(s24)))))*(((2*TruncToInt(0.5*ToFloat(s58)) + 3)//(TruncToInt(0.5*ToFloat(s58))))) > 25
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=0.5, mode='area')
    return (v1,)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(200, generator=G).to(torch.float32).as_strided((2, 2, 5, 10), (50, 100, 10, 1)), ), {}),
    ((torch.randn(288, generator=G).to(torch.float32).as_strided((2, 2, 6, 12), (72, 144, 12, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
