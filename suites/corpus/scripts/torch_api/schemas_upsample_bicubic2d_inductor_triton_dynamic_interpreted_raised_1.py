# torch_api, inductor_triton.dynamic on interpreted: RAISED UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    v1 = torch.ops.aten.upsample_bicubic2d.default(v0, [1, 1], True)
    return parts(v1)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, None))(x0, x1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([0.5562954545021057, -0.12468165904283524, 0.5324385762214661, 0.8495306372642517, -0.42481866478919983, 1.1101605892181396, 2.240115165710449, -0.9149786233901978, -0.4035956859588623, 1.2060763835906982], dtype=torch.float32).reshape((1, 5, 2, 1, 1)), torch.tensor([False, False, True, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
