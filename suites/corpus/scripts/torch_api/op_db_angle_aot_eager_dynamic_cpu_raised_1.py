# torch_api, aot_eager.dynamic on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: /__w/pytorch/pytorch/build/aten/src/ATen/RegisterMeta_0.cpp:4937: SymIntArrayRef expected to contain only concrete integers
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.angle(x0)
    v1 = v0.new_empty([0])
    v2 = torch.angle(x0, out=v1)
    return parts(v2)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
