# torch_api, inductor.dynamic+config on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: The size of tensor a (s40: hint = 2) must match the size of tensor b (s40**2) at non-singleton dimension 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.native_batch_norm(x0, None, x1, None, None, True, 0.5, 1e-05)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([287.5, 44.15625, 69.375, 180.0], dtype=torch.float16).reshape((1, 2, 2)), torch.tensor([-3.0, -1.0, -2.0, 1.0], dtype=torch.float16).reshape((1, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
