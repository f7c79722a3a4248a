# programs, inductor.oblivious on cpu: RAISED InductorError: LoweringException: AssertionError: target: aten.native_dropout.default
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.dropout(x0 + 1, 0.25) * 2
    v2 = torch.func.vjp(torch.tanh, x0)[1](x0 + 1)[0]
    return (v1, v2)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1, 'fallback_random': True})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0, 0, 0)), ), {}),
    ((torch.randn(81, generator=G).to(torch.float32).reshape((3, 3, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
