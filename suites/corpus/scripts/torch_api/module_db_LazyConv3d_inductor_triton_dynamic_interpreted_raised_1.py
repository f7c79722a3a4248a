# torch_api, inductor_triton.dynamic on interpreted: RAISED InductorError: ValueRangeError: Invalid ranges [0:-1]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.LazyConv3d(5, 3, padding='same', padding_mode='circular').train()
module(torch.zeros([4, 3, 4, 5]))

def program(x0, x1, x2):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2}, (x0,), {})
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(64, generator=G).to(torch.float32).reshape((4, 2, 2, 4)), torch.randn(540, generator=G).to(torch.float32).as_strided((5, 4, 3, 3, 3), (1, 5, 20, 60, 180)), torch.tensor([float("inf"), float("-inf"), 0.6702376008033752, -0.0001463645457988605, 1.0000000150474662e+30], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
